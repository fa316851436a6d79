import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsoleOrder } from '../api/merchants.ts';
import type { CsvColumn } from '../components/csv-export.tsx';
import type { Column } from '../components/data-table.tsx';
import { Amount, Ptk } from '../components/money.tsx';
import { Status } from '../components/status.tsx';
import { Time } from '../components/time.tsx';

/** Orders as both consoles list them. */
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
      // Before a payment is confirmed it is only what would be settled.
      settlement_ptk === undefined || event_id === undefined ? '–' : <Ptk minor={settlement_ptk} />,
  },
  { header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
];

export const orderCsv: CsvColumn<ConsoleOrder>[] = [
  { header: 'order_no', text: ({ order_no }) => order_no },
  { header: 'external_reference', text: ({ external_reference }) => external_reference },
  { header: 'status', text: ({ status }) => status },
  { header: 'amount', text: ({ amount }) => amount },
  { header: 'currency', text: ({ currency }) => currency },
  { header: 'payment_amount', text: ({ payment_amount }) => payment_amount ?? '' },
  { header: 'payment_currency', text: ({ payment_currency }) => payment_currency ?? '' },
  { header: 'settlement_ptk', text: ({ settlement_ptk }) => settlement_ptk ?? '' },
  { header: 'provider_trade_no', text: ({ provider_trade_no }) => provider_trade_no ?? '' },
  { header: 'event_id', text: ({ event_id }) => event_id ?? '' },
  { header: 'created_at', text: ({ created_at }) => created_at },
  { header: 'occurred_at', text: ({ occurred_at }) => occurred_at ?? '' },
  { header: 'test_mode', text: ({ test_mode }) => String(test_mode) },
];
