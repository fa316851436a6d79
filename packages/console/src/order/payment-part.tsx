/** The payment of an order: its attempts and its quotes. */
import { Group, Stack, Text } from '@mantine/core';
import type { AttemptMembers, QuoteMembers } from '../api/order-detail.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { Panel } from '../components/page/panel.tsx';
import { Amount, Ptk } from '../components/values/money.tsx';
import { Status } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';

const providerWords = (provider: string): string => (provider === 'ptk' ? 'PTK wallet' : 'Card');

const attemptColumns: Column<AttemptMembers>[] = [
  { header: 'No.', end: true, cell: ({ seq }) => seq },
  { header: 'Pays by', cell: ({ provider }) => providerWords(provider) },
  { header: 'State', cell: ({ state }) => <Status value={state} /> },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  {
    header: 'Trade number',
    wide: true,
    cell: ({ provider_trade_no }) => <span className="identifier">{provider_trade_no ?? '–'}</span>,
  },
  { header: 'Begun', cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Paid', cell: ({ paid_at }) => <Time at={paid_at} /> },
  { header: 'Closed', cell: ({ closed_at }) => <Time at={closed_at} /> },
];

const quoteColumns: Column<QuoteMembers>[] = [
  {
    header: 'Method',
    wide: true,
    cell: ({ provider, owner, test_mode, locked, payment_no }) => (
      <>
        <Group gap={6} mb={2}>
          <Text size="sm" fw={600}>
            {[providerWords(provider), owner === 'merchant' && 'of the merchant', test_mode && 'for tests']
              .filter((word) => word !== false)
              .join(', ')}
          </Text>
          {locked === true && <Status value="chosen" />}
        </Group>
        <span className="identifier">{payment_no}</span>
      </>
    ),
  },
  {
    header: 'Amount',
    end: true,
    cell: ({ subtotal, currency }) => <Amount amount={subtotal} currency={currency} />,
  },
  {
    header: 'Buyer’s fee',
    end: true,
    cell: ({ buyer_fee, currency }) => <Amount amount={buyer_fee} currency={currency} />,
  },
  {
    header: 'The buyer pays',
    end: true,
    cell: ({ payment_amount, currency }) => <Amount amount={payment_amount} currency={currency} />,
  },
  {
    header: 'Merchant’s fee',
    end: true,
    cell: ({ merchant_fee, currency }) => <Amount amount={merchant_fee} currency={currency} />,
  },
  { header: 'The same in PTK', end: true, cell: ({ merchant_fee_ptk }) => <Ptk minor={merchant_fee_ptk} /> },
];

/** Every attempt to pay. */
export const AttemptsPart = ({ attempts }: { attempts: readonly AttemptMembers[] }) => (
  <Stack mb="lg">
    <Panel title="Attempts" about="Every try to pay, and what came of it.">
      <DataTable
        name="Attempts"
        columns={attemptColumns}
        rows={attempts}
        rowKey={({ attempt_id }) => attempt_id}
        empty={<Empty title="Nobody has tried to pay yet" />}
      />
    </Panel>
  </Stack>
);

/** What each way to pay would have cost, fixed when the order was created. */
export const QuotesPart = ({ quotes }: { quotes: readonly QuoteMembers[] }) => (
  <Panel title="Locked quotes" about="What each way to pay costs. Fixed when the order was created.">
    <DataTable
      name="Quotes"
      columns={quoteColumns}
      rows={quotes}
      rowKey={({ method_id }) => method_id}
      empty={<Empty title="No quotes" />}
    />
  </Panel>
);
