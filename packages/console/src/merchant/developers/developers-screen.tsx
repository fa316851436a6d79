import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { pageSettings } from '../../api/page-settings.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Scopes } from '../../components/merchant/scopes.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { ClientActions, NewClient, type OwnClient } from './client-actions.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('developers');

/** The screen of the programs that call the interface for this merchant, with links to the documentation. */
export function DevelopersScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('clients');
  const columns = useColumns(merchant_no);
  const list = useList<OwnClient>(['merchant', merchant_no, 'clients'], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/clients', {
        params: { path: { merchant_no }, query: page },
        signal,
      }),
    ),
  );
  return (
    <Page
      title={t('developers')}
      about={t('api_keys_for_your_servers_and')}
      actions={
        <Button
          component="a"
          href={`${pageSettings.base_path}/docs`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBook2 size={16} />}
        >
          {t('documentation')}
        </Button>
      }
    >
      <Panel title={t('api_keys')} actions={mayWrite && <NewClient merchant_no={merchant_no} />}>
        <DataTable
          name={t('api_keys')}
          columns={columns}
          rows={list.rows}
          list={list}
          rowKey={({ client_id }) => client_id}
          empty={<Empty title={t('no_api_keys_yet')}>{t('create_an_api_key_for_your')}</Empty>}
        />
      </Panel>
      <FirstSteps />
    </Page>
  );
}

/** The columns of the list. People who may not change clients have no column for it. */
function useColumns(merchant_no: string): Column<OwnClient>[] {
  const mayWrite = useMayWrite('clients');
  // For owners, as the settings are.
  const isOwner = useMayWrite('settings');
  const change: Column<OwnClient> = {
    header: t('actions'),
    cell: (client) => <ClientActions client={client} merchant_no={merchant_no} isOwner={isOwner} />,
  };
  return [
    { header: t('api_key'), wide: true, cell: (client) => <NameOfClient of={client} /> },
    { header: t('scopes'), wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: t('request_2'), wide: true, cell: ({ application }) => <Application of={application} /> },
    { header: t('status'), cell: ({ disabled }) => <Status value={disabled ? 'disabled' : 'enabled'} /> },
    { header: t('since'), cell: ({ created_at }) => <Time at={created_at} show="day" /> },
    ...(mayWrite ? [change] : []),
  ];
}

const NameOfClient = ({ of: { name, client_id, redirect_uris, allowed_cidrs } }: { of: OwnClient }) => (
  <>
    <Text fw={600} size="sm" className="wrap">
      {name}
    </Text>
    <Identifier value={client_id} name={t('client_id')} />
    {allowed_cidrs.length > 0 && (
      <Text size="xs" c="dimmed" className="wrap">
        {t('from_allowed_cidrs', { allowed_cidrs: allowed_cidrs.join(', ') })}
      </Text>
    )}
    {redirect_uris.map((address) => (
      <Text key={address} size="xs" c="dimmed" className="wrap">
        {address}
      </Text>
    ))}
  </>
);

const FirstSteps = () => (
  <Panel title={t('first_steps')} about={t('the_quickstart_shows_each_step_with')}>
    <Stack gap="xs">
      <Text size="sm">
        {t.rich('n_1_your_server_gets_an_access', {
          code: <Code>{`${window.location.origin}${pageSettings.base_path}/oauth/token`}</Code>,
        })}
      </Text>
      <Text size="sm">{t.rich('n_2_it_creates_an_order_with', { code: <Code>{'checkout_url'}</Code> })}</Text>
      <Text size="sm">{t('n_3_it_receives_a_webhook_when')}</Text>
    </Stack>
  </Panel>
);

function Application({ of }: { of: OwnClient['application'] }) {
  if (of === null) return <Text size="sm">–</Text>;
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Status value={of.status} />
        <Time at={of.decided_at ?? of.requested_at} show="ago" />
      </Group>
      {of.status === 'pending' && <Scopes of={of.scopes} />}
      {of.reason !== null && (
        <Text size="xs" c="dimmed" className="wrap">
          {of.reason}
        </Text>
      )}
    </Stack>
  );
}
