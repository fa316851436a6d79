/** The grants of a test channel, which administrators assign. */
import { Alert } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { adminCall, type Channel } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { listOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Status } from '../../components/values/status.tsx';
import { merchantFinder, personFinder, useMerchantName } from '../lookups.ts';
import { Actor } from '../people/actor.tsx';
import { grantRows, type GrantRow } from './grant-table.ts';

const columns: Column<GrantRow>[] = [
  { header: 'Merchant', cell: ({ merchant }) => merchant },
  { header: 'Buyer', cell: ({ buyer }) => buyer },
  {
    header: 'May pay',
    cell: ({ allowed }) => <Status value={allowed ? 'enabled' : 'disabled'} label={allowed ? 'Yes' : 'No'} />,
  },
  { header: 'Because', wide: true, cell: ({ why }) => why },
];

/** Who may use a test channel: both lists, and the result for every kind of merchant and buyer. */
export function Grants({ channel }: { channel: Channel }) {
  const { merchants, users } = channel.debug_grants;
  const nameOf = useMerchantName();
  return (
    <Panel
      title="Who may test"
      about="A test channel is offered to nobody but those named here. Where both lists are filled, both have to match."
      actions={
        <PlatformAction
          allows="administer"
          label="Change"
          icon={<IconPencil size={16} />}
          title="Who may test"
          confirm="Save"
          fields={[
            {
              name: 'merchants',
              label: 'Merchants',
              kind: 'choices',
              initial: merchants,
              finder: merchantFinder,
            },
            {
              name: 'users',
              label: 'Buyers',
              kind: 'choices',
              initial: users,
              finder: personFinder,
            },
          ]}
          consequences={() => [
            'Both lists are replaced. They count at once, for payments under way as well.',
          ]}
          submit={(values) =>
            adminCall<Channel>('PUT', `/channels/${part(channel.payment_no)}/debug-grants`, {
              body: { merchants: listOf(values, 'merchants'), users: listOf(values, 'users') },
            })
          }
          done={() => 'Saved.'}
        />
      }
    >
      {!channel.enabled && (
        <Alert color="orange" mb="md">
          The channel is disabled: nobody may pay through it, whatever the lists say.
        </Alert>
      )}
      <Facts
        of={[
          ['Merchants', merchants.length === 0 ? 'None named' : merchants.map(nameOf).join(', ')],
          [
            'Buyers',
            users.length === 0
              ? 'None named'
              : users.map((user_id) => (
                  <div key={user_id}>
                    <Actor of={`user:${user_id}`} />
                  </div>
                )),
          ],
        ]}
      />
      <DataTable
        name="What comes of the two lists"
        columns={columns}
        rows={grantRows({
          merchants: merchants.length > 0,
          users: users.length > 0,
          enabled: channel.enabled,
        })}
        rowKey={({ merchant, buyer }) => `${merchant} ${buyer}`}
        empty={null}
      />
    </Panel>
  );
}
