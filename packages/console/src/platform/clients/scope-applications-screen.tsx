/** The scopes that clients apply for, and the decision on each, with a reason. */
import { Group } from '@mantine/core';
import { adminCall, type ScopeApplication, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { listOf, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Scopes } from '../../components/merchant/scopes.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantName } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: t('status'),
    choices: [
      ['pending', t('pending')],
      ['approved', t('approved')],
      ['rejected', t('rejected')],
      ['superseded', t('superseded')],
    ],
  },
] as const;

export function ScopeApplicationsScreen() {
  const [view] = useView();
  const list = useAdminList<ScopeApplication>('/scope-applications', pick(view, ['status']));
  const nameOf = useMerchantName();
  const columns: Column<ScopeApplication>[] = [
    {
      header: t('api_key'),
      wide: true,
      cell: ({ client }) => <strong className="wrap">{client.name}</strong>,
    },
    {
      header: t('merchant'),
      cell: ({ client }) => (client.merchant_no === null ? t('none') : nameOf(client.merchant_no)),
    },
    { header: t('requested_scopes'), wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: t('current_scopes'), wide: true, cell: ({ client }) => <Scopes of={client.scopes} /> },
    { header: t('status'), cell: ({ status }) => <Status value={status} /> },
    { header: t('requested'), cell: ({ requested_at }) => <Time at={requested_at} /> },
    { header: t('decision'), cell: (application) => <Decision application={application} /> },
  ];
  return (
    <Page title={t('scope_requests')} about={t('scopes_requested_for_api_keys_they')}>
      <Filters filters={filters} />
      <DataTable
        name={t('scope_requests')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ application_id }) => application_id}
        empty={<Empty title={t('no_scope_requests')}>{t('requests_appear_when')}</Empty>}
      />
    </Page>
  );
}

function Decision({ application }: { application: ScopeApplication }) {
  const { application_id, status, reason, client } = application;
  if (status !== 'pending') return <span className="wrap">{reason ?? '–'}</span>;
  const decide = (body: Record<string, unknown>) =>
    adminCall<ScopeApplication>('POST', `/scope-applications/${part(application_id)}/decision`, { body });
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="administer"
        label={t('approve')}
        size="xs"
        title={t('approve_for_name', { name: client.name })}
        confirm={t('approve')}
        fields={[
          { name: 'scopes', label: t('approved'), kind: 'tags', initial: application.scopes, required: true },
          reasonField,
        ]}
        consequences={() => [t('the_scopes_take_effect_with_its')]}
        submit={(values) =>
          decide({ decision: 'approve', scopes: listOf(values, 'scopes'), reason: textOf(values, 'reason') })
        }
        done={() => t('scopes_approved')}
      />
      <PlatformAction
        allows="administer"
        label={t('reject')}
        size="xs"
        color="red"
        title={t('reject_for_name', { name: client.name })}
        confirm={t('reject')}
        danger
        fields={[reasonField]}
        consequences={() => [t('the_api_key_keeps_its_current')]}
        submit={(values) => decide({ decision: 'reject', reason: textOf(values, 'reason') })}
        done={() => t('rejected')}
      />
    </Group>
  );
}
