/** The money of an order: its postings and their sums. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OrderDetail } from '../api/admin.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { Panel } from '../components/page/panel.tsx';
import { accountOf, totalOf, TransferWords, whatOf } from '../components/values/ledger-words.tsx';
import { Amount } from '../components/values/money.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';
import { inAndOut } from './account-sides.ts';

const t = textsOf('order');

type Posting = OrderDetail['postings'][number];
type Money = OrderDetail['money'];
type Total = Money['totals'][number];
type Account = Money['accounts'][number];

/** Held proceeds say until when. */
const whatUntil = (line: Posting, hold: Money['hold']): ReactNode =>
  hold !== null && line.credit.startsWith('m:held')
    ? t.rich('what_until_time', { what: whatOf(line), time: <Time at={hold.release_at} /> })
    : whatOf(line);

const postingColumns = (hold: Money['hold']): Column<Posting>[] => [
  { header: t('time'), cell: ({ at }) => <Time at={at} show="second" /> },
  {
    header: t('entry'),
    wide: true,
    cell: (line) => <TransferWords {...line} what={whatUntil(line, hold)} />,
  },
  { header: t('from'), cell: ({ debit, from }) => accountOf(debit, from) },
  { header: t('to'), cell: ({ credit, to }) => accountOf(credit, to) },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const totalColumns: Column<Total>[] = [
  { header: t('item'), wide: true, cell: ({ total, about }) => totalOf(total, about) },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const accountColumns: Column<Account>[] = [
  { header: t('account'), wide: true, cell: ({ account, about }) => accountOf(account, about) },
  {
    header: t('in'),
    end: true,
    cell: (sums) => <Amount amount={inAndOut(sums).in} currency={sums.currency} />,
  },
  {
    header: t('out'),
    end: true,
    cell: (sums) => <Amount amount={inAndOut(sums).out} currency={sums.currency} />,
  },
  {
    header: t('change'),
    end: true,
    cell: ({ change, currency }) => <Amount amount={change} currency={currency} />,
  },
];

/** The postings of an order, line by line. The sums below add up these lines and nothing else. */
export function MoneyPart({ postings, money }: Pick<OrderDetail, 'postings' | 'money'>) {
  return (
    <Stack gap="lg">
      <Panel title={t('postings')} about={t('every_ledger_posting_of_this_order')}>
        <DataTable
          name={t('postings_2')}
          columns={postingColumns(money.hold)}
          rows={postings}
          rowKey={({ posting, case_key, leg }) => `${posting} ${case_key} ${leg}`}
          empty={<Empty title={t('no_postings_yet')} />}
        />
      </Panel>
      <Panel title={t('totals')}>
        <DataTable
          name={t('totals_2')}
          columns={totalColumns}
          rows={money.totals}
          rowKey={({ total, currency }) => `${total} ${currency}`}
          empty={<Empty title={t('no_entries_yet')} />}
        />
      </Panel>
      <Panel title={t('by_account')}>
        <DataTable
          name={t('accounts')}
          columns={accountColumns}
          rows={money.accounts}
          rowKey={({ account, currency }) => `${account} ${currency}`}
          empty={<Empty title={t('no_entries_yet')} />}
        />
      </Panel>
    </Stack>
  );
}
