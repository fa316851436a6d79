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
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

const columns: readonly Column<AdminKey>[] = [
  { header: t('admin_key'), wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
  { header: t('role'), cell: ({ role }) => roleWords[role] },
  { header: t('status'), cell: ({ status }) => <Status value={status} /> },
  {
    header: t('ip_address'),
    cell: ({ allowed_cidrs }) => (
      <span className="wrap">{allowed_cidrs.length === 0 ? t('any_address') : allowed_cidrs.join(', ')}</span>
    ),
  },
  {
    header: t('last_used'),
    cell: ({ last_used_at }) => (last_used_at === null ? t('never') : <Time at={last_used_at} />),
  },
  { header: t('expires'), cell: ({ expires_at }) => <Time at={expires_at} /> },
  { header: t('created_by'), cell: ({ created_by }) => <Actor of={created_by} /> },
  { header: t('key_id'), cell: ({ key_id }) => <span className="identifier">{key_id}</span> },
  { header: t('actions'), cell: (key) => <End of={key} /> },
];

export function KeysScreen() {
  const list = useAdminList<AdminKey>('/keys');
  return (
    <Page title={t('admin_keys')} about={t('for_programs_that_call_the_administration')} actions={<NewKey />}>
      <DataTable
        name={t('admin_keys')}
        columns={[...columns]}
        rows={list.rows}
        list={list}
        rowKey={({ key_id }) => key_id}
        empty={<Empty title={t('no_admin_keys_yet')} />}
      />
    </Page>
  );
}

function End({ of: { key_id, name, status, revoke_reason } }: { of: AdminKey }) {
  if (status === 'revoked') return <Text size="sm">{revoke_reason}</Text>;
  return (
    <PlatformAction
      allows="administer"
      label={t('revoke')}
      size="xs"
      color="red"
      title={t('revoke_name', { name })}
      confirm={t('revoke')}
      danger
      fields={[reasonField]}
      consequences={() => [t('it_stops_working_at_once_this'), t('keys_created_with_it_are_revoked')]}
      submit={(values) =>
        adminCall<AdminKey>('DELETE', `/keys/${part(key_id)}`, {
          body: { reason: textOf(values, 'reason') },
        })
      }
      done={({ revoked_children: others = [] }) =>
        others.length === 0
          ? t('key_revoked')
          : t('key_revoked_together_with_others', { others: others.join(', ') })
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
    label={t('new_admin_key')}
    variant="filled"
    icon={<IconPlus size={16} />}
    title={t('new_admin_key')}
    confirm={t('create')}
    fields={[
      { name: 'name', label: t('name'), required: true, about: t('the_program_that_uses_the_key') },
      { name: 'role', label: t('role'), kind: 'choice', required: true, initial: 'auditor', choices: roles },
      {
        name: 'expires_at',
        label: t('expires'),
        kind: 'time',
        required: true,
        about: t('in_your_time_zone'),
      },
      rangesField([]),
    ]}
    consequences={() => [t('a_key_can_request_large_money')]}
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
    result={({ key }) => (key === undefined ? null : <SecretOnce name={t('admin_key_2')} value={key} />)}
  />
);
