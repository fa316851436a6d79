/** The columns of wallet movements, for an order and for the statement. */
import { Text } from '@mantine/core';
import type { WalletLine } from '../../api/merchants.ts';
import type { Column } from '../../components/list/data-table.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';

const accountName = (account: string | null): string => (account === null ? 'Outside' : words(account));

export const lineColumns: Column<WalletLine>[] = [
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
  { header: 'From', cell: ({ from }) => accountName(from) },
  { header: 'To', cell: ({ to }) => accountName(to) },
  { header: 'Amount', end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
];
