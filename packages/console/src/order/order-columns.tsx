import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsoleOrder } from '../api/merchants.ts';
import type { Column } from '../components/list/data-table.tsx';
import { Amount, Ptk } from '../components/values/money.tsx';
import { Status } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';

/** The columns of orders in both consoles. */
export const orderColumns = <T extends ConsoleOrder>(link: (order: T) => ReactNode): Column<T>[] => [
  { header: 'Reference', wide: true, cell: link },
  { header: 'Description', cell: ({ description }) => <span className="wrap">{description || '–'}</span> },
  {
    header: 'Status',
    cell: ({ status, test_mode }) => (
      <Group gap={6} wrap="nowrap">
        <Status value={status} />
        {test_mode && (
          <Badge color="violet" variant="light" radius="sm" tt="none">
            Test
          </Badge>
        )}
      </Group>
    ),
  },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  {
    header: 'Settled',
    end: true,
    cell: ({ settlement_ptk, event_id }) =>
      // Before a payment is confirmed, the settlement is only an estimate.
      settlement_ptk === undefined || event_id === undefined ? '–' : <Ptk minor={settlement_ptk} />,
  },
  { header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
];
