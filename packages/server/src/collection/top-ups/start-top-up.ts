/**
 * A person's top-up by card: a collection order of the platform's own merchant, whose proceeds go to the person's wallet
 * (P21, D-356, D-357). So it is paid, expires, is refunded and disputed as any other order.
 */
import { AppError } from '../../base/errors.ts';
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { readSettings, type TopUpSettings } from '../../base/settings/index.ts';
import { formatMinor, maxOf } from '../../base/money.ts';
import { days, later } from '../../base/time/clock.ts';
import { fromPtk, priceAt, toPtk } from '../../currencies/index.ts';
import { lockOrOpenWallet } from '../../ledger/books/index.ts';
import { type AppLimits, exceededLimit } from '../../oauth/consents/index.ts';
import { createOrder, decodeCreateRequest, fillsWallets } from '../creating/index.ts';
import { type CollectionDeps, type CollectionOrder, sumTopUps } from '../orders/index.ts';
import { selectTopUpMerchant } from './top-up-merchant.ts';

/** What people can choose from. */
export interface TopUpOffer {
  /** In which the platform's card channels charge. */
  currencies: readonly string[];
  limits: AppLimits;
}

type OfferDeps = Pick<CollectionDeps, 'db' | 'channels' | 'currencies'>;

/** Null while the person cannot top up: it is off, or there is no channel for it. */
export async function readTopUpOffer(deps: OfferDeps, user_id: string): Promise<TopUpOffer | null> {
  const { top_up } = await readSettings(deps.db);
  const merchant_id = await merchantOf(deps.db, top_up);
  if (merchant_id === null) return null;
  const channels = (await deps.channels.of(merchant_id)).filter((channel) =>
    fillsWallets(channel, merchant_id, user_id),
  );
  const codes = [...new Set(channels.flatMap(({ supported_currencies }) => supported_currencies))].sort();
  const known = await Promise.all(codes.map((code) => deps.currencies.currency(code)));
  const currencies = known.flatMap((currency) => (currency?.enabled === true ? [currency.code] : []));
  return currencies.length === 0 ? null : { currencies, limits: limitsOf(top_up) };
}

/**
 * The smallest amount that gives at least so much PTK; null if there is none.
 *
 * @param wanted the currency to give it in; the first one on offer, if this one is not
 */
export async function amountGiving(
  deps: OfferDeps & Pick<CollectionDeps, 'clock'>,
  user_id: string,
  needed_ptk: bigint,
  wanted: string,
): Promise<{ amount: string; currency: string } | null> {
  const currencies = (await readTopUpOffer(deps, user_id))?.currencies ?? [];
  const code = currencies.includes(wanted) ? wanted : (currencies[0] ?? '');
  const [currency, rate] = await Promise.all([deps.currencies.currency(code), deps.currencies.rate(code)]);
  const price_e12 = currency === null ? null : priceAt(code, rate, deps.clock.now());
  if (currency === null || price_e12 === null) return null;
  const { decimals, min_minor } = currency;
  const least_ptk = maxOf(needed_ptk, smallest_ptk);
  const near = fromPtk(least_ptk, decimals, price_e12);
  const minor = toPtk(near, decimals, price_e12) < least_ptk ? near + 1n : near;
  return { amount: formatMinor(maxOf(minor, min_minor), decimals), currency: code };
}

/** A top-up as the form of its page asks for it. */
export interface TopUpRequest {
  user_id: string;
  /** Names the page that was shown: a form that is sent twice makes one order. */
  visit: string;
  /** A decimal string. */
  amount: string;
  currency: string;
  /** Where the checkout leads afterwards: the service's own address, so it may be plain HTTP. */
  return_url: string;
}

/**
 * The order of a top-up, made as any other: same checks and quotes.
 *
 * Invariant: a person's top-ups stay within the limits, whichever processes make them: each waits for the person's wallet,
 * and counts those before it. A top-up that expired unpaid does not count; if it is paid late, it exceeds the limit by itself.
 *
 * @throws AppError `channel_unavailable` while it is off; `app_limit_exceeded` with `field`; `invalid_amount` if it gives too little; else the errors of a creation
 */
export async function startTopUp(
  deps: CollectionDeps,
  { user_id, visit, amount, currency, return_url }: TopUpRequest,
): Promise<CollectionOrder> {
  const { top_up } = await readSettings(deps.db);
  const merchant_id = await merchantOf(deps.db, top_up);
  if (merchant_id === null) throw new AppError('channel_unavailable');
  const decoded = decodeCreateRequest({
    external_reference: 'top-up',
    idempotency_key: `top-up:${user_id}:${visit}`,
    amount,
    currency,
    description: '',
  });
  const request = { ...decoded, return_url };
  const order = await createOrder(deps, merchant_id, request, {
    wallet_user_id: user_id,
    admit: (tx, wanted) => demandWithinLimits(tx, wanted, user_id),
  });
  // A program of the platform's merchant may have used the key.
  if (order.wallet_user_id !== user_id) throw new AppError('payment_conflict');
  return order;
}

/**
 * The smallest top-up, in PTK: 0.01. The price of PTK rounds half up (D-058), so one of a few units could give twice what
 * was paid; from here on it gives at most half a millionth more (D-375).
 */
export const smallest_ptk = 1_000_000n;

async function demandWithinLimits(tx: Tx, order: CollectionOrder, user_id: string): Promise<void> {
  await lockOrOpenWallet(tx, user_id);
  const { top_up } = await readSettings(tx);
  const { merchant_id, created_at, gross_settlement_ptk, hold_days } = order;
  if (gross_settlement_ptk < smallest_ptk) throw new AppError('invalid_amount', { field: 'amount' });
  // Both may have changed since they were looked at. Proceeds under hold could not go on to a wallet.
  if ((await merchantOf(tx, top_up)) !== merchant_id || hold_days !== 0) {
    throw new AppError('channel_unavailable');
  }
  const spent = await sumTopUps(tx, merchant_id, user_id, later(created_at, -days(1)));
  const field = exceededLimit(limitsOf(top_up), gross_settlement_ptk, spent);
  if (field !== null) throw new AppError('app_limit_exceeded', { field });
}

/** The platform's own merchant; null while people cannot top up, as while it is no merchant that can sell PTK (D-359). */
const merchantOf = async (db: Queryable, { enabled, merchant_no }: TopUpSettings): Promise<string | null> =>
  enabled ? selectTopUpMerchant(db, merchant_no) : null;

const limitsOf = ({ max_per_payment, max_per_day }: TopUpSettings): AppLimits => ({
  max_per_payment: max_per_payment === null ? null : BigInt(max_per_payment),
  max_per_day: max_per_day === null ? null : BigInt(max_per_day),
});
