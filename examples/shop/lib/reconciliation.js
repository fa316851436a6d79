/** The nightly comparison of the shop's books with the orders at Paydesk. It also finds what no notification has told (D-292). */
import { reconcile } from '@paydesk/sdk';
import { prefix } from './orders.js';
import { applyState } from './posting.js';

/** An order can change for some days after it was made. */
const days = 3;

/**
 * Reads all orders of the last days, takes in their states, and keeps what still differs then.
 *
 * @param {import('./server.js').Shop} shop
 * @param {Date} until normally now
 * @returns {Promise<string[]>} what differs, in sentences
 */
export async function reconcileBooks({ db, paydesk, settings }, until) {
  const from = new Date(until.getTime() - days * 86_400_000);
  const orders = [];
  for await (const order of paydesk.orders({
    created_from: from.toISOString(),
    created_to: until.toISOString(),
  })) {
    if (!order.external_reference.startsWith(prefix)) continue;
    orders.push(order);
    await applyState(db, order, settings);
  }
  const records = await db.rows(
    `SELECT o.order_id AS external_reference, o.total AS amount, o.currency, a.status, a.posted_event_id AS event_id, a.order_no
       FROM attempts a JOIN orders o USING (order_id)
      WHERE a.order_no = ANY($3) OR (a.created_at >= $1 AND a.created_at < $2)`,
    // The attempt is a moment older than its order: at the end of the time the order may not be there yet.
    [from, new Date(until.getTime() - 60_000), orders.map(({ order_no }) => order_no)],
  );
  const differing = sentences(reconcile(records, orders));
  await db.rows('INSERT INTO reconciliations (compared, differing) VALUES ($1, $2)', [
    orders.length,
    JSON.stringify(differing),
  ]);
  return differing;
}

function sentences({ mismatches, missing_orders, missing_records, duplicates }) {
  return [
    ...mismatches.map(({ order, differences }) => `${order.order_no} differs in ${differences.join(', ')}.`),
    ...missing_orders.map(({ external_reference }) => `Paydesk has no order for ${external_reference}.`),
    ...missing_records.map(
      (order) => `We have no record of ${order.order_no} (${order.external_reference}).`,
    ),
    ...duplicates.map(({ key }) => `${key} was paid or recorded twice.`),
  ];
}
