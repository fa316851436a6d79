/** The shop's orders, and the attempts to have them paid: a creation is repeated with its key (D-292). */
import { randomBytes } from 'node:crypto';
import { applyState } from './posting.js';

/** All our references begin so: the merchant may have other programs, too. */
export const prefix = 'LB-';

/** It cannot be guessed: a person who knows it can see the order. */
export const newOrderId = () => prefix + randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x');

const isOrderId = (text) => /^LB-[A-Za-z0-9]{12}$/.test(text);

/**
 * Stores an order with the price of now. The same form sent again changes nothing.
 *
 * @param {import('./database.js').Database} db
 * @param {{ order_id: string, sku: string, quantity: string }} form what a buyer sent: anything
 * @returns {Promise<boolean>} whether there is such an order now
 */
export async function placeOrder(db, { order_id, sku, quantity }) {
  if (!isOrderId(order_id) || !/^[1-9]$/.test(quantity)) return false;
  await db.rows(
    `INSERT INTO orders (order_id, sku, quantity, total, currency)
     SELECT $1, sku, $3::integer, price * $3::integer, currency FROM products WHERE sku = $2
     ON CONFLICT (order_id) DO NOTHING`,
    [order_id, sku, quantity],
  );
  return (await findOrder(db, order_id)) !== null;
}

/** An order with its product, its attempts (the latest first) and its payments; null if there is none. */
export async function findOrder(db, order_id) {
  const [order] = await db.rows(
    'SELECT o.*, p.title FROM orders o JOIN products p USING (sku) WHERE order_id = $1',
    [order_id],
  );
  if (order === undefined) return null;
  const attempts = await db.rows('SELECT * FROM attempts WHERE order_id = $1 ORDER BY number DESC', [
    order_id,
  ]);
  const postings = await db.rows('SELECT * FROM postings WHERE order_id = $1 ORDER BY posted_at', [order_id]);
  return { ...order, attempts, postings, state: stateOf(attempts, postings) };
}

/** What the shop says of an order. Only what is posted is paid. */
export function stateOf([latest], postings) {
  if (postings.some(({ reversed_as }) => reversed_as === null)) return 'paid';
  if (postings.length > 0) return postings.at(-1).reversed_as;
  return latest?.status ?? 'new';
}

/**
 * Asks Paydesk for a collection order, unless there is one that can still be paid. After an expired attempt, or a test, the next
 * one has a new key; in every other case the key stays, so that a buyer is never asked to pay twice.
 *
 * @throws {import('@paydesk/sdk').PaydeskError} if Paydesk refuses, or did not answer; calling it again is safe
 */
export async function startPayment({ db, paydesk, settings }, order_id) {
  const attempt = await db.transaction((tx) => openAttempt(tx, order_id));
  if (attempt === null || attempt.checkout_url !== null) return;
  const order = await findOrder(db, order_id);
  const created = await paydesk.createOrder({
    external_reference: order_id,
    idempotency_key: attempt.idempotency_key,
    amount: order.total,
    currency: order.currency,
    description: `${order.quantity} × ${order.title}`,
    // Paydesk leads buyers to HTTPS only. On a developer's machine the order's page follows the payment instead.
    ...(settings.shop_url.startsWith('https:')
      ? { return_url: `${settings.shop_url}/orders/${order_id}` }
      : {}),
  });
  await db.rows('UPDATE attempts SET order_no = $2, checkout_url = $3 WHERE idempotency_key = $1', [
    attempt.idempotency_key,
    created.order_no,
    created.checkout_url,
  ]);
}

/** The attempt to go on with, stored before Paydesk hears of it; null if nothing is to be paid. */
async function openAttempt(tx, order_id) {
  const { rows: orders } = await tx.query('SELECT * FROM orders WHERE order_id = $1 FOR UPDATE', [order_id]);
  if (orders.length === 0) return null;
  const { rows: attempts } = await tx.query(
    'SELECT * FROM attempts WHERE order_id = $1 ORDER BY number DESC',
    [order_id],
  );
  const { rows: postings } = await tx.query('SELECT * FROM postings WHERE order_id = $1', [order_id]);
  const state = stateOf(attempts, postings);
  if (state === 'pending') return attempts[0];
  if (!['new', 'expired', 'test'].includes(state)) return null;
  const number = (attempts[0]?.number ?? 0) + 1;
  const { rows } = await tx.query(
    'INSERT INTO attempts (idempotency_key, order_id, number) VALUES ($1, $2, $3) RETURNING *',
    [`${order_id}/${number}`, order_id, number],
  );
  return rows[0];
}

/** Reads the order's attempts at Paydesk, each at most every `check_every_ms`, and takes in what it says. */
export async function refreshOrder({ db, paydesk, settings }, order_id) {
  const due = await db.rows(
    `UPDATE attempts SET checked_at = now() WHERE order_id = $1 AND order_no IS NOT NULL
        AND (checked_at IS NULL OR checked_at <= now() - $2 * interval '1 millisecond') RETURNING order_no`,
    [order_id, settings.check_every_ms],
  );
  for (const { order_no } of due) await applyState(db, await paydesk.getOrder(order_no), settings);
}

/** Asks about orders that are open: a notification may be late. Those of three days, the longest unasked first. */
export async function refreshOpenOrders(shop) {
  const open = await shop.db.rows(
    `SELECT order_id FROM attempts WHERE order_no IS NOT NULL AND status IN ('pending', 'review')
        AND created_at > now() - interval '3 days' ORDER BY checked_at NULLS FIRST LIMIT 50`,
  );
  for (const { order_id } of open) await refreshOrder(shop, order_id);
}
