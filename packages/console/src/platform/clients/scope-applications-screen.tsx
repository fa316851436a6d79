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

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    choices: [
      ['pending', 'Pending'],
      ['approved', 'Approved'],
      ['rejected', 'Rejected'],
      ['superseded', 'Superseded'],
    ],
  },
] as const;

export function ScopeApplicationsScreen() {
  const [view] = useView();
  const list = useAdminList<ScopeApplication>('/scope-applications', pick(view, ['status']));
  const nameOf = useMerchantName();
  const columns: Column<ScopeApplication>[] = [
    { header: 'Client', wide: true, cell: ({ client }) => <strong className="wrap">{client.name}</strong> },
    {
      header: 'Merchant',
      cell: ({ client }) => (client.merchant_no === null ? 'None' : nameOf(client.merchant_no)),
    },
    { header: 'Asks for', wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: 'Has', wide: true, cell: ({ client }) => <Scopes of={client.scopes} /> },
    { header: 'Status', cell: ({ status }) => <Status value={status} /> },
    { header: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
    { header: 'Decision', cell: (application) => <Decision application={application} /> },
  ];
  return (
    <Page
      title="Scope applications"
      about="What clients ask to be allowed. Nothing of it counts before it is approved."
    >
      <Filters filters={filters} />
      <DataTable
        name="Scope applications"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ application_id }) => application_id}
        empty={<Empty title="No applications" />}
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
        label="Approve"
        size="xs"
        title={`Approve for ${client.name}`}
        confirm="Approve"
        fields={[
          { name: 'scopes', label: 'Approved', kind: 'tags', initial: application.scopes, required: true },
          reasonField,
        ]}
        consequences={() => ['The client may do this at once, with its next token.']}
        submit={(values) =>
          decide({ decision: 'approve', scopes: listOf(values, 'scopes'), reason: textOf(values, 'reason') })
        }
        done={() => 'Approved.'}
      />
      <PlatformAction
        allows="administer"
        label="Reject"
        size="xs"
        color="red"
        title={`Reject for ${client.name}`}
        confirm="Reject"
        danger
        fields={[reasonField]}
        consequences={() => ['The client keeps what it has. Its merchant reads the reason.']}
        submit={(values) => decide({ decision: 'reject', reason: textOf(values, 'reason') })}
        done={() => 'Rejected.'}
      />
    </Group>
  );
}
