/** The columns of wallet movements, for an order and for the statement. */
import { Group, Text } from '@mantine/core';
import type { WalletLine } from '../../api/merchants.ts';
import type { Column } from '../../components/list/data-table.tsx';
import { Change } from '../../components/values/money.tsx';
import { TestMark } from '../../components/values/test-mark.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';
import { accountsOf } from './accounts.ts';

const t = textsOf('wallet');

export const lineColumns: Column<WalletLine>[] = [
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
  { header: t('account'), cell: accountsOf },
  {
    header: t('amount'),
    end: true,
    cell: ({ change_ptk, amount_ptk }) => <Change change={change_ptk} moved={amount_ptk} />,
  },
];
