/** Where a page of orders ends, in each sort. The next page starts after it. */
import type { OrderSort } from '@paydesk/contract';
import { rfc3339 } from '../../base/time/clock.ts';
import { readInstant } from '../../base/input/instant.ts';
import type { CollectionOrder } from '../orders/index.ts';
import { comparedDecimals } from './order-page-filter.ts';

/** One merchant's orders by time, all merchants' by number, or either by amount. */
export type SortKey = 'time' | 'number' | 'amount';

/** The place of an order in every sort. */
export interface OrderCursor {
  created_at: Date;
  order_no: string;
  currency: string;
  /** In units of 10^-8. */
  amount: bigint;
}

/** The key that a list is sorted by. Numbers sort by creation (D-156), and have an index without the merchant. */
export const sortKeyOf = (sort: OrderSort, merchant_id: string | null): SortKey =>
  sort.endsWith('amount') ? 'amount' : merchant_id === null ? 'number' : 'time';

export const isDescending = (sort: OrderSort): boolean => sort.startsWith('-');

/** The place of an order. */
export const placeOf = (order: CollectionOrder): OrderCursor => ({
  ...order,
  amount: order.amount_minor * 10n ** BigInt(comparedDecimals - order.currency_decimals),
});

const number = '[A-Za-z0-9][A-Za-z0-9._:-]{0,63}';

const grammars: Readonly<Record<SortKey, RegExp>> = {
  time: new RegExp(`^(?<at>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) (?<order_no>${number})$`),
  number: new RegExp(`^(?<order_no>${number})$`),
  amount: new RegExp(`^(?<currency>[A-Z0-9]{3,12}) (?<amount>\\d{1,40}) (?<order_no>${number})$`),
};

/** Writes a place as text. */
export function orderCursorText(
  key: SortKey,
  { created_at, order_no, currency, amount }: OrderCursor,
): string {
  if (key === 'number') return order_no;
  return key === 'time' ? `${rfc3339(created_at)} ${order_no}` : `${currency} ${amount} ${order_no}`;
}

export const isOrderCursor =
  (key: SortKey) =>
  (text: string): boolean =>
    grammars[key].test(text);

/** Reads a place from text that `isOrderCursor` has accepted. Members that the sort does not use have no meaning. */
export function parseOrderCursor(key: SortKey, text: string): OrderCursor {
  const { at, order_no = '', currency = '', amount = '0' } = grammars[key].exec(text)?.groups ?? {};
  return {
    created_at: at === undefined ? new Date(0) : readInstant('cursor', at),
    order_no,
    currency,
    amount: BigInt(amount),
  };
}
