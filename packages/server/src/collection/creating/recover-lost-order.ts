/** Makes an order again that a restore has lost. */
import { decodeTime } from 'ulid';
import type { CollectionRecovery } from '../../channels/card/index.ts';
import { totalOf } from '../../payments/quotes/index.ts';
import type { CollectionDeps, CollectionOrder } from '../orders/index.ts';
import { buildOrder, storeOrder } from './create-order.ts';

/** What is known of a lost order, and how its buyer has paid. */
export interface LostOrderOf extends CollectionRecovery {
  order_no: string;
  payment: { payment_no: string; amount: bigint | null; currency: string | null };
}

const ownNumber = /^mp_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Makes an order again under its number and its time, with today's rate, fees and settings. Description, addresses and
 * requested channel are lost; notifications go to the merchant's defaults.
 *
 * @returns null if its number is not from Paydesk, or if the payment is not exactly what its buyer would have to pay
 * @throws AppError if a currency, rate or channel is unavailable
 */
export async function recoverOrder(
  deps: CollectionDeps,
  merchant_id: string,
  { order_no, payment, ...known }: LostOrderOf,
): Promise<CollectionOrder | null> {
  if (!ownNumber.test(order_no)) return null;
  const number = order_no.slice(3);
  const at = new Date(decodeTime(number));
  if (at > deps.clock.now()) return null;
  const clock = { now: () => at, real: () => deps.clock.real() };
  const request = {
    ...{ idempotency_key: known.idempotency_key, external_reference: known.external_reference },
    amount: { form: 'minor', value: BigInt(known.amount_minor) },
    ...{ currency: known.currency, payment_no: '', description: '', expires_in: lifetime_s, return_url: '' },
    notify: { mode: 'unspecified' },
  } as const;
  // The secret of its notifications is sealed for its number.
  const ids = { ...deps.ids, ulid: () => number };
  const { order, quotes } = await buildOrder({ ...deps, clock, ids }, merchant_id, request);
  const isExact = quotes.some(
    (quote) =>
      quote.payment_no === payment.payment_no &&
      quote.currency === payment.currency &&
      totalOf(quote) === payment.amount,
  );
  if (!isExact) return null;
  await storeOrder(deps, order, quotes);
  return order;
}

/** As for an order without `expires_in`. Its deadline does not matter: it is paid at once. */
const lifetime_s = 1_800;
