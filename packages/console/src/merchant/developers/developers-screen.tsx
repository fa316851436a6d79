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
import { ClientActions, ClientRanges, ClientSwitch, NewClient, type OwnClient } from './client-actions.tsx';

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
      title="Developers"
      about="The programs that call the interface for you, each with an identifier and a secret of its own."
      actions={
        <Button
          component="a"
          href={`${pageSettings.base_path}/docs`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBook2 size={16} />}
        >
          API reference
        </Button>
      }
    >
      <Panel title="Clients" actions={mayWrite && <NewClient merchant_no={merchant_no} />}>
        <DataTable
          name="Clients"
          columns={columns}
          rows={list.rows}
          list={list}
          rowKey={({ client_id }) => client_id}
          empty={
            <Empty title="No client yet">
              Create one for your server: it gets a secret, and applies for what it needs.
            </Empty>
          }
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
    header: 'Change',
    cell: (client) => (
      <Group gap={6}>
        <ClientActions client={client} merchant_no={merchant_no} />
        {isOwner && <ClientRanges client={client} merchant_no={merchant_no} />}
        {isOwner && <ClientSwitch client={client} merchant_no={merchant_no} />}
      </Group>
    ),
  };
  return [
    { header: 'Client', wide: true, cell: (client) => <NameOfClient of={client} /> },
    { header: 'May', wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: 'Application', wide: true, cell: ({ application }) => <Application of={application} /> },
    { header: 'State', cell: ({ disabled }) => <Status value={disabled ? 'disabled' : 'enabled'} /> },
    { header: 'Since', cell: ({ created_at }) => <Time at={created_at} show="day" /> },
    ...(mayWrite ? [change] : []),
  ];
}

const NameOfClient = ({ of: { name, client_id, redirect_uris, allowed_cidrs } }: { of: OwnClient }) => (
  <>
    <Text fw={600} size="sm" className="wrap">
      {name}
    </Text>
    <Identifier value={client_id} name="client number" />
    {allowed_cidrs.length > 0 && (
      <Text size="xs" c="dimmed" className="wrap">
        {`From ${allowed_cidrs.join(', ')}`}
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
  <Panel title="First steps" about="The Quickstart shows each with a command, and notices when it is done.">
    <Stack gap="xs">
      <Text size="sm">
        1. Your server gets an access token with the client’s identifier and secret, from{' '}
        <Code>{`${window.location.origin}${pageSettings.base_path}/oauth/token`}</Code>.
      </Text>
      <Text size="sm">
        2. It creates an order, under a key that makes repeating harmless, and sends the buyer to the order’s{' '}
        <Code>checkout_url</Code>.
      </Text>
      <Text size="sm">3. It is notified when the order changes, reads the order, and delivers.</Text>
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
