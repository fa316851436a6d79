/** The filter and the sort of the pages of orders in the consoles, as a query names them. */
import {
  collectionStatuses,
  orderMethods,
  orderSorts,
  type OrderStep,
  orderSteps,
  type OrderMethod,
  type OrderSort,
  type UnpaidReason,
  unpaidReasons,
} from '@paydesk/contract';
import { invalid } from '../../base/errors.ts';
import { readTimeSpan, type TimeSpan } from '../../base/input/time-span.ts';
import { parseDecimal, toMinor } from '../../base/money.ts';
import type { OrderStatus } from '../orders/index.ts';

/** Amounts are compared at the precision of the most precise currency (D-321). */
export const comparedDecimals = 8;

/** The filter of a list of orders; a null member does not filter. */
export interface OrderFilter {
  /** A reference, a number or a payment event, or a part of one (D-320). */
  text: string | null;
  status: OrderStatus | null;
  /** True: only tests; false: no tests. */
  test_mode: boolean | null;
  /** Administrators narrow the orders of all merchants by it (D-341). */
  created: TimeSpan;
  method: OrderMethod | null;
  /** Only orders that reached this step on the way to their payment. */
  reached: OrderStep | null;
  /** Only orders that were not paid through a channel for this reason (D-556). */
  unpaid: UnpaidReason | null;
  currency: string | null;
  /** Both ends included, in units of 10^-8. */
  amount: { from: bigint | null; to: bigint | null };
}

type Query = Readonly<Record<string, unknown>>;

/**
 * Reads the filter of a list. An empty or absent parameter does not filter, and the text is trimmed (D-156).
 *
 * @throws AppError `invalid_request` with the parameter at fault
 */
export function readOrderFilter(query: Query): OrderFilter {
  const { q = '' } = query;
  if (typeof q !== 'string' || q.length > 200) {
    throw invalid('q', 'q must be one reference, order number or trade number, or a part of one.');
  }
  const currency = readCurrency(query);
  const amount = { from: readAmount('amount_from', query), to: readAmount('amount_to', query) };
  if (currency === null && (amount.from !== null || amount.to !== null)) {
    throw invalid('currency', 'A range of amounts needs a currency.');
  }
  return {
    text: q.trim() || null,
    status: readChoice('status', collectionStatuses, query),
    test_mode: readTestMode(query),
    created: readTimeSpan(query),
    method: readChoice('method', orderMethods, query),
    reached: readChoice('reached', orderSteps, query),
    unpaid: readChoice('unpaid', unpaidReasons, query),
    currency,
    amount,
  };
}

/** Reads `sort`; newest first by default (D-156). Throws `invalid_request`. */
export const readOrderSort = (query: Query): OrderSort =>
  readChoice('sort', orderSorts, query) ?? '-created_at';

function readChoice<T extends string>(name: string, choices: readonly T[], query: Query): T | null {
  const value = query[name] ?? '';
  if (value === '') return null;
  const known = choices.find((one) => one === value);
  if (known === undefined) throw invalid(name, `${name} must be one of ${choices.join(', ')}.`);
  return known;
}

function readTestMode(query: Query): boolean | null {
  const text = readChoice('test_mode', ['true', 'false'], query);
  return text === null ? null : text === 'true';
}

function readCurrency({ currency = '' }: Query): string | null {
  if (currency === '') return null;
  if (typeof currency !== 'string' || !/^[A-Z0-9]{3,12}$/.test(currency)) {
    throw invalid('currency', 'currency must be a currency code, such as USD.');
  }
  return currency;
}

function readAmount(name: string, query: Query): bigint | null {
  const text = query[name] ?? '';
  if (text === '') return null;
  const value = typeof text === 'string' && text.length <= 64 ? parseDecimal(text) : null;
  const units = value === null ? null : toMinor(value, comparedDecimals);
  if (units === null) throw invalid(name, `${name} must be a decimal number, such as 12.50.`);
  return units;
}
