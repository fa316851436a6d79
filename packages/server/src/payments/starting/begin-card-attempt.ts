/** Begins a card attempt before the provider is asked. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { isCountedByCards, providerLocale } from '../../channels/card/index.ts';
import { type Channel, methodTypesFor, typesForProvider } from '../../channels/index.ts';
import { type Attempt, insertAttempt, nextSeq } from '../attempts/index.ts';
import type { Payable, PayableKind, PaymentDeps } from '../engine/index.ts';
import { reserveFee } from '../merchant-fees/index.ts';
import { type Quote, totalOf } from '../quotes/index.ts';

/**
 * How long a session outlives its order. The provider demands 30 minutes at each request, so a retry with the same
 * parameters stays valid until the deadline (D-196).
 */
const afterDeadline_ms = hours(1);

/** The provider's maximum of a day, with room. An imported order can have a longer deadline. */
const longestSession_ms = hours(24) - minutes(5);

/** Room for clocks that differ when the records are searched. */
const clocksDiffer_s = 3_600;

/**
 * Begins an attempt on a locked, open order: stores it, locks the order to its method, fixes the method's quote
 * on the order, reserves the fee of a merchant's own channel, and commits.
 *
 * Invariant: the attempt is committed before the provider is asked, so a worker can find the session after a crash
 * (D-099).
 *
 * @throws AppError `merchant_fee_funding_unavailable`, or `channel_unavailable` if no method that the channel has
 *   chosen can pay in this currency, or the provider counts it with other decimals (D-915); nothing is stored then (R-133,
 *   D-125)
 */
export async function beginCardAttempt(
  deps: PaymentDeps,
  tx: Tx,
  begin: {
    kind: PayableKind;
    order: Payable;
    quote: Quote;
    attempts: readonly Attempt[];
    user_id: string | null;
    channel: Channel;
    /** The language of the buyer's page. */
    locale: string | undefined;
    now: Date;
  },
): Promise<Attempt> {
  const { kind, order, quote, attempts, user_id, channel, locale, now } = begin;
  const types = methodTypesFor(channel.payment_method_types, quote.currency);
  if (types?.length === 0 || !isCountedByCards(quote)) throw new AppError('channel_unavailable');
  const attempt_id = `pa_${deps.ids.ulid(now)}`;
  const real = deps.clock.real();
  const left_ms = order.expires_at.getTime() - now.getTime();
  const session_expires_at = later(
    real,
    Math.min(Math.max(left_ms, 0) + afterDeadline_ms, longestSession_ms),
  );
  const attempt: Attempt = {
    merchant_id: order.merchant_id,
    attempt_id,
    order_no: order.order_no,
    seq: nextSeq(attempts),
    method_id: quote.method_id,
    payment_no: quote.payment_no,
    provider: quote.provider,
    test_mode: quote.test_mode,
    state: 'creating',
    amount: totalOf(quote),
    currency: quote.currency,
    currency_decimals: quote.currency_decimals,
    buyer_user_id: user_id,
    created_at: now,
    lease_until: later(real, deps.lease_ms),
    unclear_since: null,
    session_id: null,
    session_url: null,
    session_expires_at,
    provider_trade_no: null,
    check_at: later(now, deps.lease_ms),
    paid_at: null,
    closed_at: null,
    request: {
      attempt_id,
      order_no: order.order_no,
      title: order.title,
      success_url: deps.public_url + order.landing,
      cancel_url: deps.public_url + order.canceled_landing,
      expires_at: Math.ceil(session_expires_at.getTime() / 1_000),
      created_from: Math.floor(real.getTime() / 1_000) - clocksDiffer_s,
      ...(locale === undefined ? {} : { locale: providerLocale(locale) }),
      ...(types === null ? {} : { payment_method_types: typesForProvider(types) }),
      ...(order.recovery === null ? {} : { recovery: order.recovery }),
    },
    detail: {},
  };
  const reserving = await reserveFee(tx, quote, attempt, now);
  await tx.finish([insertAttempt(attempt), ...kind.bindMethod(order, quote), ...reserving]);
  return attempt;
}
