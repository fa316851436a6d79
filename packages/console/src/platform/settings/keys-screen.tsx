/** The named administration keys: what each may do, when it was used, and its end. */
import { Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { adminCall, type AdminKey, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { listOf, rangesField, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { Actor } from '../people/actor.tsx';
import { roleWords } from '../people/roles.ts';

const columns: readonly Column<AdminKey>[] = [
  { header: 'Key', wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
  { header: 'Role', cell: ({ role }) => roleWords[role] },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    header: 'From',
    cell: ({ allowed_cidrs }) => (
      <span className="wrap">{allowed_cidrs.length === 0 ? 'Anywhere' : allowed_cidrs.join(', ')}</span>
    ),
  },
  {
    header: 'Last use',
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />),
  },
  { header: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { header: 'Made by', cell: ({ created_by }) => <Actor of={created_by} /> },
  { header: 'Number', cell: ({ key_id }) => <span className="identifier">{key_id}</span> },
  { header: 'End', cell: (key) => <End of={key} /> },
];

export function KeysScreen() {
  const list = useAdminList<AdminKey>('/keys');
  return (
    <Page
      title="Keys"
      about="For programs that call the administration. Each has a role and an end; the audit log names it."
      actions={<NewKey />}
    >
      <DataTable
        name="Keys"
        columns={[...columns]}
        rows={list.rows}
        list={list}
        rowKey={({ key_id }) => key_id}
        empty={<Empty title="No keys yet" />}
      />
    </Page>
  );
}

function End({ of: { key_id, name, status, revoke_reason } }: { of: AdminKey }) {
  if (status === 'revoked') return <Text size="sm">{revoke_reason}</Text>;
  return (
    <PlatformAction
      allows="administer"
      label="Revoke"
      size="xs"
      color="red"
      title={`Revoke ${name}`}
      confirm="Revoke"
      danger
      fields={[reasonField]}
      consequences={() => [
        'It is refused at once, everywhere. It cannot be given back.',
        'Keys that were made with it are revoked too.',
      ]}
      submit={(values) =>
        adminCall<AdminKey>('DELETE', `/keys/${part(key_id)}`, {
          body: { reason: textOf(values, 'reason') },
        })
      }
      done={({ revoked_children: others = [] }) =>
        others.length === 0 ? 'Revoked.' : `Revoked, and with it: ${others.join(', ')}.`
      }
    />
  );
}

const roles = (['auditor', 'support', 'finance', 'admin'] as const).map((role) => ({
  value: role,
  label: roleWords[role],
}));

const NewKey = () => (
  <PlatformAction
    allows="administer"
    label="New key"
    variant="filled"
    icon={<IconPlus size={16} />}
    title="New key"
    confirm="Create"
    fields={[
      { name: 'name', label: 'Name', required: true, about: 'The program that it is for.' },
      { name: 'role', label: 'Role', kind: 'choice', required: true, initial: 'auditor', choices: roles },
      { name: 'expires_at', label: 'Ends', kind: 'time', required: true, about: 'In your time zone.' },
      rangesField([]),
    ]}
    consequences={() => ['A key asks for large movements of money, but it never approves them.']}
    submit={(values) =>
      adminCall<AdminKey>('POST', '/keys', {
        body: {
          name: textOf(values, 'name'),
          role: textOf(values, 'role'),
          expires_at: new Date(textOf(values, 'expires_at')).toISOString(),
          allowed_cidrs: listOf(values, 'allowed_cidrs'),
        },
      })
    }
    result={({ key }) => (key === undefined ? null : <SecretOnce name="Administration key" value={key} />)}
  />
);
