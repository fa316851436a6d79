/**
 * Idempotency of creations: what a key that was used before leads to, which is the order that it created, or a conflict. A key
 * is compared as it was sent (D-032), belongs to its merchant and never ends, also when its order has expired
 * . A creation that was refused has stored nothing, so its key is free (R-114, D-031).
 */
import { AppError } from '../../base/errors.ts';
import { inTime } from '../../base/time/in-time.ts';
import {
  type CollectionDeps,
  type CollectionOrder,
  expireIfDue,
  selectLostKey,
  selectOrderByKey,
} from '../orders/index.ts';
import type { CreateRequest } from './create-request.ts';
import { isSameAmount } from './requested-amount.ts';

/**
 * Answers a creation that could not be stored. If the key was used before, also by a creation that ran at the same time (R-108,
 * R-109, D-033) or before a crash, its order decides, and not the check that failed (D-026): the error is thrown only
 * if the key is new (D-012). Only the key is looked up: one reference with different keys makes different orders, and
 * alone it repeats nothing.
 *
 * @param error why the order was not stored
 * @param within_ms how long to look for the key: the database may have kept the creation waiting already (H-25)
 * @throws `error` if the key is new; AppError `payment_conflict` as `returnExistingOrder`; `service_unavailable` if the key
 *   could not be looked up in time
 */
export async function answerUsedKey(
  deps: CollectionDeps,
  merchant_id: string,
  request: CreateRequest,
  error: unknown,
  within_ms: number,
): Promise<CollectionOrder> {
  const looked = selectOrderByKey(deps.db, merchant_id, request.idempotency_key);
  const known = await inTime(looked, within_ms, () => {
    throw new AppError('service_unavailable', { retry_after_s: 5 });
  });
  if (known === null) throw error;
  return returnExistingOrder(deps, known, request);
}

/**
 * Returns the order of a used key in its current state if the parameters are the same (R-101, D-030). The decoder has
 * normalized them, so different ways to write or omit one are not a change (R-103, R-104, D-027). A changed notification
 * mode is one (R-105, D-008, D-029). The merchant's defaults are not read again. A currency or channel that
 * has changed since makes no difference.
 *
 * @throws AppError `payment_conflict` if a parameter differs; `field` names the first, and no value is repeated
 */
async function returnExistingOrder(
  deps: CollectionDeps,
  order: CollectionOrder,
  request: CreateRequest,
): Promise<CollectionOrder> {
  const field = firstDifference(deps, order, request);
  if (field !== null) {
    throw new AppError('payment_conflict', {
      field,
      description: `The idempotency_key was used for an order with another ${field}.`,
    });
  }
  return expireIfDue(deps, order);
}

/** The first member of a request that differs from the order of its key, or null where none does. Amounts are compared exactly (D-028). */
function firstDifference(
  deps: CollectionDeps,
  order: CollectionOrder,
  request: CreateRequest,
): string | null {
  const { amount, notify } = request;
  const isExplicit = notify.mode === 'explicit';
  const isSame = {
    external_reference: order.external_reference === request.external_reference,
    currency: order.currency === request.currency,
    [amount.form === 'minor' ? 'amount_minor' : 'amount']: isSameAmount(amount, order),
    payment_no: order.requested_payment_no === request.payment_no,
    // The description of a top-up says how much PTK it gives, which its request does not name.
    description: order.wallet_user_id !== null || order.description === request.description,
    expires_in: order.expires_in === request.expires_in,
    return_url: order.return_url === request.return_url,
    // An order with its own address, and one without, differ in the address.
    notify_enabled: isExplicit || order.notify_mode === 'explicit' || order.notify_mode === notify.mode,
    notify_url: isExplicit
      ? order.notify_mode === 'explicit' && order.notify_url === notify.url
      : order.notify_mode !== 'explicit',
    notify_secret:
      !isExplicit ||
      (order.notify_secret_digest !== null &&
        deps.box.matches('notify-secret', notify.secret, order.notify_secret_digest)),
  };
  return Object.entries(isSame).find(([, same]) => !same)?.[0] ?? null;
}

/** A restore has lost the order of this key, and its buyer has paid: a new order could be paid a second time. */
export async function refuseLostKey(
  { db }: CollectionDeps,
  merchant_id: string,
  { idempotency_key }: CreateRequest,
): Promise<void> {
  const lost = await selectLostKey(db, merchant_id, idempotency_key);
  if (lost === null) return;
  const { order_no, status, provider_payment_id, amount_minor, currency, made_again } = lost;
  const payment = provider_payment_id === null ? '' : ` by payment ${provider_payment_id}`;
  const amount =
    amount_minor === null || currency === null ? '' : ` of ${amount_minor} minor units of ${currency}`;
  throw new AppError('payment_conflict', {
    field: 'idempotency_key',
    description:
      `This key created order ${order_no}, which was ${status}${payment}${amount}. ` +
      (made_again
        ? 'The database was restored since, and the order was made again: read it.'
        : 'The order was lost when the database was restored. See the letter about the restore before you create it ' +
          'again with another key.'),
  });
}
