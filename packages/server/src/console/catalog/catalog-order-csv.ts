/** The file of a merchant's catalog orders. */
import type { CsvColumn } from '../../base/csv.ts';
import { ptkText } from '../../base/money.ts';
import { fixed8Text } from '../../catalog/products/index.ts';
import type { soldOrderJson } from './catalog-order-json.ts';

export type SoldOrder = ReturnType<typeof soldOrderJson>;

/**
 * The columns of the file. The settlement in PTK is there twice, as in the file of collection orders: gross less fee is net
 * (D-1063). `reversed` says which payments were taken back, also of delivered orders, and each time names its zone (D-911).
 * `paid_at` is when the payment was booked, as in the statement (D-1201).
 */
export const soldOrderColumns: readonly CsvColumn<SoldOrder>[] = [
  ...(['order_no', 'gd_no', 'title', 'quantity', 'status', 'status_label', 'reversed', 'currency'] as const),
  ['pay_amount', (order) => fixed8Text(order.pay_amount, order.currency_decimals)],
  'payment_currency',
  ['payment_pay_amount', (order) => fixed8Text(order.payment_pay_amount, order.payment_currency_decimals)],
  ['buyer_fee', (order) => fixed8Text(order.payment_handling_amount, order.payment_currency_decimals)],
  ...(['gross_settlement_ptk', 'merchant_fee_ptk', 'settlement_ptk'] as const),
  ['gross_settlement', ({ gross_settlement_ptk }) => ptkText(gross_settlement_ptk)],
  ['settlement_fee', ({ merchant_fee_ptk }) => ptkText(merchant_fee_ptk)],
  ['settlement', ({ settlement_ptk }) => ptkText(settlement_ptk)],
  ...(['trade_no', 'test_mode'] as const),
  // The contract writes these times without a zone.
  ['created_at', ({ created_at }) => inUtc(created_at)],
  ['paid_time', ({ paid_time }) => inUtc(paid_time)],
  'completed_at',
  'paid_at',
];

/** Names the zone of a time `YYYY-MM-DD HH:mm:ss`, so that all times of the file are read alike. */
const inUtc = (time: string | null): string | null => time && `${time.replace(' ', 'T')}Z`;
