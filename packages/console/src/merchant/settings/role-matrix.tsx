/** What each role may do, as the service decides it. */
import { IconCheck } from '@tabler/icons-react';
import type { components } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { words } from '../../components/values/status.tsx';

export type Duty = components['schemas']['MerchantMemberList']['duties'][number];
type Role = Duty['roles'][number];

const roles: readonly Role[] = ['owner', 'finance', 'developer', 'read-only'];

const labels: Readonly<Record<Duty['duty'], string>> = {
  people: 'Invite, change and remove people',
  settings: 'Change the profile',
  orders: 'Create orders by hand',
  links: 'Create and close payment links',
  stock: 'Upload codes, deliver catalog orders',
  clients: 'Create API keys and apply for scopes',
  webhooks: 'Set up webhooks, replay events',
  products: 'Create and change products',
  notes: 'Write notes on orders',
  read: 'See and export everything',
};

/** What a role may do, line by line. */
export const dutiesOf = (role: Role, duties: readonly Duty[]): string[] =>
  duties.filter(({ roles: allowed }) => allowed.includes(role)).map(({ duty }) => `May: ${labels[duty]}`);

const columns: readonly Column<Duty>[] = [
  { header: 'May', wide: true, cell: ({ duty }) => labels[duty] },
  ...roles.map((role): Column<Duty> => ({
    header: words(role),
    cell: ({ roles: allowed }) =>
      allowed.includes(role) ? (
        <IconCheck size={16} aria-label="yes" role="img" />
      ) : (
        <span role="img" aria-label="no">
          –
        </span>
      ),
  })),
];

export const RoleMatrix = ({ duties }: { duties: readonly Duty[] }) => (
  <DataTable
    name="Roles"
    columns={columns}
    rows={duties}
    rowKey={({ duty }) => duty}
    empty={<Empty title="No roles" />}
  />
);
