/** What each role may do, as the service decides it. */
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import type { components } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { words } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

export type Duty = components['schemas']['MerchantMemberList']['duties'][number];
type Role = Duty['roles'][number];

const roles: readonly Role[] = ['owner', 'finance', 'developer', 'read-only'];

const labels: Readonly<Record<Duty['duty'], string>> = {
  people: t('manage_the_team'),
  settings: t('edit_the_profile'),
  orders: t('create_orders_by_hand'),
  links: t('create_and_close_payment_links'),
  exports: t('schedule_exports_of_statements'),
  stock: t('upload_codes_deliver_catalog_orders'),
  clients: t('create_api_keys_and_request_scopes'),
  webhooks: t('manage_webhooks_resend_events'),
  products: t('create_and_edit_products'),
  notes: t('write_notes_on_orders'),
  read: t('view_and_export_everything'),
};

/** What a role may do, line by line. */
export const dutiesOf = (role: Role, duties: readonly Duty[]): string[] =>
  duties.filter(({ roles: allowed }) => allowed.includes(role)).map(({ duty }) => labels[duty]);

const permission: Column<Duty> = { header: t('permission'), wide: true, cell: ({ duty }) => labels[duty] };

const columns: readonly Column<Duty>[] = [
  permission,
  ...roles.map((role): Column<Duty> => ({
    header: words(role),
    cell: ({ roles: allowed }) =>
      allowed.includes(role) ? (
        <IconCheck size={16} aria-label={t('yes')} role="img" />
      ) : (
        <span role="img" aria-label={t('no')}>
          –
        </span>
      ),
  })),
];

/** On a phone, where a mark would stand without the name of its column. */
const narrow: readonly Column<Duty>[] = [
  permission,
  { header: t('roles'), wide: true, cell: ({ roles: allowed }) => allowed.map(words).join(', ') },
];

export function RoleMatrix({ duties }: { duties: readonly Duty[] }) {
  const isNarrow = useMediaQuery('(max-width: 40em)');
  return (
    <DataTable
      name={t('roles')}
      columns={isNarrow ? narrow : columns}
      rows={duties}
      rowKey={({ duty }) => duty}
      empty={<Empty title={t('no_permissions')} />}
      whole
    />
  );
}
