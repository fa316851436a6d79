/** What the platform owes to merchants and people, and what merchants owe. */
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Owed } from '../../api/admin.ts';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { asOfText } from '../../texts/as-of.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');
const wallet = textsOf('business');

/** The parts of all wallets together, in the words of a wallet. */
const parts: Readonly<Record<string, string>> = {
  'm:available': wallet('available'),
  'm:held': wallet('held'),
  'm:frozen': wallet('frozen'),
  'm:guarantee': wallet('guarantee'),
  'm:fee_reserved': wallet('reserved_for_fees'),
  'm:withdrawal_pending': wallet('payouts_in_progress'),
  'm:credit_drawn': wallet('credit_drawn'),
  'm:recovery': wallet('owed_from_losses'),
};

const columns: Column<Owed['accounts'][number]>[] = [
  { header: t('account'), wide: true, cell: ({ account, about }) => parts[account] ?? about },
  {
    header: t('balance'),
    end: true,
    cell: ({ amount }) => <Amount amount={amount} currency="PTK" />,
  },
];

export function OwedPanel() {
  const owed = useQuery(adminQuery<Owed>('/ledger/owed'));
  const about = owed.data === undefined ? undefined : asOfText(owed.data.as_of);
  return (
    <Panel title={t('owed')} about={about}>
      <Loaded of={owed} lines={4}>
        {({ to_merchants, by_merchants, to_people, accounts }) => (
          <>
            <Stats>
              <Stat name={t('owed_to_merchants')} value={<Amount amount={to_merchants} currency="PTK" />} />
              <Stat name={t('owed_to_people')} value={<Amount amount={to_people} currency="PTK" />} />
              <Stat name={t('owed_by_merchants')} value={<Amount amount={by_merchants} currency="PTK" />} />
            </Stats>
            {accounts.length > 0 && (
              <DataTable
                name={t('accounts_of_all_merchants')}
                columns={columns}
                rows={accounts}
                rowKey={({ account }) => account}
                empty={<Empty title={t('none')} />}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
