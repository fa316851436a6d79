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
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

const columns: Column<GrantRow>[] = [
  { header: t('merchant'), cell: ({ merchant }) => merchant },
  { header: t('buyer'), cell: ({ buyer }) => buyer },
  {
    header: t('can_pay'),
    cell: ({ allowed }) => (
      <Status value={allowed ? 'enabled' : 'disabled'} label={allowed ? t('yes') : t('no')} />
    ),
  },
  { header: t('reason'), wide: true, cell: ({ why }) => why },
];

/** Who may use a test channel: both lists, and the result for every kind of merchant and buyer. */
export function Grants({ channel }: { channel: Channel }) {
  const { merchants, users } = channel.debug_grants;
  const nameOf = useMerchantName();
  return (
    <Panel
      title={t('test_access')}
      about={t('test_mode_is_offered_only_to')}
      actions={
        <PlatformAction
          allows="administer"
          label={t('edit_access')}
          icon={<IconPencil size={16} />}
          title={t('test_access')}
          confirm={t('save')}
          fields={[
            {
              name: 'merchants',
              label: t('merchants'),
              kind: 'choices',
              initial: merchants,
              finder: merchantFinder,
            },
            {
              name: 'users',
              label: t('buyers'),
              kind: 'choices',
              initial: users,
              finder: personFinder,
            },
          ]}
          consequences={() => [t('both_lists_are_replaced_they_apply')]}
          submit={(values) =>
            adminCall<Channel>('PUT', `/channels/${part(channel.payment_no)}/debug-grants`, {
              body: { merchants: listOf(values, 'merchants'), users: listOf(values, 'users') },
            })
          }
          done={() => t('saved')}
        />
      }
    >
      {!channel.enabled && (
        <Alert color="orange" mb="md">
          {t('the_channel_is_disabled_no_one')}
        </Alert>
      )}
      <Facts
        of={[
          [t('merchants'), merchants.length === 0 ? t('none_listed') : merchants.map(nameOf).join(', ')],
          [
            t('buyers'),
            users.length === 0
              ? t('none_listed')
              : users.map((user_id) => (
                  <div key={user_id}>
                    <Actor of={`user:${user_id}`} />
                  </div>
                )),
          ],
        ]}
      />
      <DataTable
        name={t('result_of_the_two_lists')}
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
