/** The money of an order: its postings and their sums. */
import { Stack, Text } from '@mantine/core';
import type { OrderDetail } from '../api/admin.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { Panel } from '../components/page/panel.tsx';
import { Amount } from '../components/values/money.tsx';
import { Time } from '../components/values/time.tsx';

type Posting = OrderDetail['postings'][number];
type Total = OrderDetail['money']['totals'][number];
type Account = OrderDetail['money']['accounts'][number];

const postingColumns: Column<Posting>[] = [
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'What',
    wide: true,
    cell: ({ why, what }) => (
      <>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      </>
    ),
  },
  { header: 'From', cell: ({ from }) => from },
  { header: 'To', cell: ({ to }) => to },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const totalColumns: Column<Total>[] = [
  { header: 'What it is', wide: true, cell: ({ about }) => about },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const accountColumns: Column<Account>[] = [
  { header: 'Account', wide: true, cell: ({ about }) => about },
  {
    header: 'In',
    end: true,
    cell: ({ credited, currency }) => <Amount amount={credited} currency={currency} />,
  },
  {
    header: 'Out',
    end: true,
    cell: ({ debited, currency }) => <Amount amount={debited} currency={currency} />,
  },
  {
    header: 'Change',
    end: true,
    cell: ({ change, currency }) => <Amount amount={change} currency={currency} />,
  },
];

/** The postings of an order, line by line. The sums below add up these lines and nothing else. */
export function MoneyPart({ postings, money }: Pick<OrderDetail, 'postings' | 'money'>) {
  return (
    <Stack gap="lg">
      <Panel
        title="Line by line"
        about="Every movement of money on this order, in the order in which it happened."
      >
        <DataTable
          name="Postings"
          columns={postingColumns}
          rows={postings}
          rowKey={({ posting, case_key, leg }) => `${posting} ${case_key} ${leg}`}
          empty={<Empty title="No money has moved yet" />}
        />
      </Panel>
      <Panel title="What it comes to">
        <DataTable
          name="Totals"
          columns={totalColumns}
          rows={money.totals}
          rowKey={({ total, currency }) => `${total} ${currency}`}
          empty={<Empty title="Nothing" />}
        />
      </Panel>
      <Panel title="By account">
        <DataTable
          name="Accounts"
          columns={accountColumns}
          rows={money.accounts}
          rowKey={({ account, currency }) => `${account} ${currency}`}
          empty={<Empty title="Nothing" />}
        />
      </Panel>
    </Stack>
  );
}
