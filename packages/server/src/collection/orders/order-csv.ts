/** What the files of collection orders have in both consoles. */
import type { CsvColumn } from '../../base/csv.ts';
import { ptkText } from '../../base/money.ts';
import type { orderJson } from './order-json.ts';

/** An order in a list of the consoles. */
type ListedOrder = Omit<ReturnType<typeof orderJson>, 'checkout_url'> & {
  description: string;
  created_at: string;
  paid_at: string | null;
};

/**
 * The columns after the order's number and merchant: what the buyer paid with both fees, and the settlement in PTK, twice: as
 * whole numbers of the eighth decimal, and as amounts of which gross less fee is net (D-910).
 */
export const orderCsvColumns: readonly CsvColumn<ListedOrder>[] = [
  ...(['external_reference', 'description', 'status', 'amount', 'currency'] as const),
  ...(['payment_amount', 'payment_currency', 'buyer_fee', 'merchant_fee'] as const),
  ...(['gross_settlement_ptk', 'merchant_fee_ptk', 'settlement_ptk'] as const),
  ['gross_settlement', ({ gross_settlement_ptk }) => ptkText(gross_settlement_ptk)],
  ['settlement_fee', ({ merchant_fee_ptk }) => ptkText(merchant_fee_ptk)],
  ['settlement', ({ settlement_ptk }) => ptkText(settlement_ptk)],
  ...(['provider_trade_no', 'event_id', 'created_at', 'paid_at', 'occurred_at', 'test_mode'] as const),
];
