/** The payment of an order: its attempts and its quotes. */
import { Group, Stack, Text } from '@mantine/core';
import type { AttemptMembers, QuoteMembers } from '../api/order-detail.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { Panel } from '../components/page/panel.tsx';
import { Amount, Ptk } from '../components/values/money.tsx';
import { Status } from '../components/values/status.tsx';
import { MarkedStatus } from '../components/values/test-mark.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

const providerWords = (provider: string): string => (provider === 'ptk' ? t('ptk_wallet') : t('card'));

const attemptColumns: Column<AttemptMembers>[] = [
  { header: t('no'), end: true, cell: ({ seq }) => seq },
  { header: t('method'), cell: ({ provider }) => providerWords(provider) },
  { header: t('status_2'), cell: ({ state, test_mode }) => <MarkedStatus value={state} test={test_mode} /> },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  {
    header: t('provider_reference'),
    wide: true,
    cell: ({ provider_trade_no }) => <span className="identifier">{provider_trade_no ?? '–'}</span>,
  },
  { header: t('started'), cell: ({ created_at }) => <Time at={created_at} show="second" /> },
  { header: t('paid_providers_time'), cell: ({ paid_at }) => <Time at={paid_at} show="second" /> },
  { header: t('closed'), cell: ({ closed_at }) => <Time at={closed_at} show="second" /> },
];

const quoteColumns: Column<QuoteMembers>[] = [
  {
    header: t('method_2'),
    wide: true,
    cell: ({ provider, owner, test_mode, locked, payment_no }) => (
      <>
        <Group gap={6} mb={2}>
          <Text size="sm" fw={600}>
            {[
              providerWords(provider),
              owner === 'merchant' && t('merchants_own_account'),
              test_mode && t('test_mode'),
            ]
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
    header: t('amount'),
    end: true,
    cell: ({ subtotal, currency }) => <Amount amount={subtotal} currency={currency} />,
  },
  {
    header: t('buyer_fee'),
    end: true,
    cell: ({ buyer_fee, currency }) => <Amount amount={buyer_fee} currency={currency} />,
  },
  {
    header: t('buyer_pays'),
    end: true,
    cell: ({ payment_amount, currency }) => <Amount amount={payment_amount} currency={currency} />,
  },
  {
    header: t('merchant_fee'),
    end: true,
    cell: ({ merchant_fee, currency }) => <Amount amount={merchant_fee} currency={currency} />,
  },
  {
    header: t('merchant_fee_in_ptk'),
    end: true,
    cell: ({ merchant_fee_ptk }) => <Ptk minor={merchant_fee_ptk} />,
  },
];

/** Every attempt to pay. */
export const AttemptsPart = ({ attempts }: { attempts: readonly AttemptMembers[] }) => (
  <Stack mb="lg">
    <Panel title={t('attempts')} about={t('every_payment_attempt_and_its_outcome')}>
      <DataTable
        name={t('attempts')}
        columns={attemptColumns}
        rows={attempts}
        rowKey={({ attempt_id }) => attempt_id}
        empty={<Empty title={t('no_payment_attempts_yet')} />}
      />
    </Panel>
  </Stack>
);

/** What each way to pay would have cost, fixed when the order was created. */
export const QuotesPart = ({ quotes }: { quotes: readonly QuoteMembers[] }) => (
  <Panel title={t('locked_quotes')} about={t('the_price_of_each_payment_method')}>
    <DataTable
      name={t('quotes')}
      columns={quoteColumns}
      rows={quotes}
      rowKey={({ method_id }) => method_id}
      empty={<Empty title={t('no_quotes')} />}
    />
  </Panel>
);
