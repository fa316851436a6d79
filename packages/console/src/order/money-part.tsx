/** The money of an order: its postings and their sums. */
import { Group, Stack, Text } from '@mantine/core';
import type { OrderDetail } from '../api/admin.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { Panel } from '../components/page/panel.tsx';
import { Amount } from '../components/values/money.tsx';
import { TestMark } from '../components/values/test-mark.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

type Posting = OrderDetail['postings'][number];
type Total = OrderDetail['money']['totals'][number];
type Account = OrderDetail['money']['accounts'][number];

const postingColumns: Column<Posting>[] = [
  { header: t('time'), cell: ({ at }) => <Time at={at} show="second" /> },
  {
    header: t('entry'),
    wide: true,
    cell: ({ why, what, test_mode }) => (
      <>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {what}
          </Text>
          {test_mode && <TestMark />}
        </Group>
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      </>
    ),
  },
  { header: t('from'), cell: ({ from }) => from },
  { header: t('to'), cell: ({ to }) => to },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const totalColumns: Column<Total>[] = [
  { header: t('item'), wide: true, cell: ({ about }) => about },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
];

const accountColumns: Column<Account>[] = [
  { header: t('account'), wide: true, cell: ({ about }) => about },
  {
    header: t('in'),
    end: true,
    cell: ({ credited, currency }) => <Amount amount={credited} currency={currency} />,
  },
  {
    header: t('out'),
    end: true,
    cell: ({ debited, currency }) => <Amount amount={debited} currency={currency} />,
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
          columns={postingColumns}
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
