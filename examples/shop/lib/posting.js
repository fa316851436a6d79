/**
 * Brings the state of a collection order into the shop's books. Notifications, queries and the nightly comparison all come
 * here, so it does not matter which of them is first, or how often they come (D-292).
 */
import { decidePosting } from '@paydesk/sdk';

/**
 * @param {import('./database.js').Database} db
 * @param {import('@paydesk/sdk').OrderState & { order_no: string }} state what Paydesk says, verified
 * @param {{ accept_test_mode: boolean }} settings
 * @returns {Promise<'post' | 'record' | 'ignore' | 'mismatch' | 'unknown'>} what was done
 */
export function applyState(db, state, { accept_test_mode }) {
  return db.transaction(async (tx) => {
    const attempt = await lockAttempt(tx, state);
    if (attempt === undefined) return 'unknown';
    const stored =
      attempt.status_version === null
        ? undefined
        : { status_version: attempt.status_version, posted_event_id: attempt.posted_event_id };
    const expected = {
      external_reference: attempt.order_id,
      amount: attempt.total,
      currency: attempt.currency,
    };
    const decision = decidePosting(stored, state, expected, { accept_test_mode });
    switch (decision.action) {
      case 'mismatch':
        await find(
          tx,
          `mismatch:${state.order_no}`,
          `${state.order_no} differs from our order ${attempt.order_id} in ${decision.differences.join(', ')}.`,
        );
        if (String(decision.differences) === 'test_mode') await endTest(tx, attempt, state);
        return 'mismatch';
      case 'post':
        await post(tx, attempt, state, decision.event_id);
        break;
      case 'record':
        await takeBack(tx, state);
        break;
      case 'ignore':
        return 'ignore';
    }
    await tx.query(
      `UPDATE attempts SET order_no = $2, status = $3, status_version = $4, posted_event_id = coalesce($5, posted_event_id)
        WHERE idempotency_key = $1`,
      [
        attempt.idempotency_key,
        state.order_no,
        state.status,
        state.status_version,
        decision.action === 'post' ? decision.event_id : null,
      ],
    );
    return decision.action;
  });
}

/**
 * The attempt that this collection order belongs to, locked: two states of one order are taken in one after the other. A
 * notification can be faster than the answer to the call that made the order; then its number is not stored yet.
 */
async function lockAttempt(tx, { order_no, external_reference }) {
  const { rows } = await tx.query(
    `SELECT a.*, o.total, o.currency FROM attempts a JOIN orders o USING (order_id)
      WHERE a.order_no = $1 OR (a.order_no IS NULL AND a.order_id = $2)
      ORDER BY a.order_no IS NULL LIMIT 1 FOR UPDATE OF a, o`,
    [order_no, external_reference],
  );
  return rows[0];
}

/** Books the payment and delivers, once. A second payment of the same order is booked, and waits for a person. */
async function post(tx, attempt, state, event_id) {
  const posted = await tx.query(
    `INSERT INTO postings (event_id, order_id, order_no, amount, currency) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (event_id) DO NOTHING`,
    [event_id, attempt.order_id, state.order_no, state.amount, state.currency],
  );
  if (posted.rowCount === 0) return;
  const delivered = await tx.query(
    'UPDATE orders SET delivered_at = now() WHERE order_id = $1 AND delivered_at IS NULL',
    [attempt.order_id],
  );
  if (delivered.rowCount === 0) {
    await find(
      tx,
      `twice:${event_id}`,
      `Order ${attempt.order_id} was paid twice: ask for a refund of ${state.order_no}.`,
    );
  }
}

/** What a test has ended is not paid, and its buyer can pay in a new attempt (D-1419). */
async function endTest(tx, { idempotency_key }, { order_no, status, status_version }) {
  if (!['paid', 'expired', 'refunded', 'chargeback'].includes(status)) return;
  await tx.query(
    `UPDATE attempts SET order_no = $2, status = 'test', status_version = $3
      WHERE idempotency_key = $1 AND posted_event_id IS NULL AND coalesce(status_version, 0) <= $3`,
    [idempotency_key, order_no, status_version],
  );
}

/** A refund or a chargeback takes back the payment of the same event. */
async function takeBack(tx, { status, event_id }) {
  if (status !== 'refunded' && status !== 'chargeback') return;
  await tx.query('UPDATE postings SET reversed_as = $2 WHERE event_id = $1', [event_id, status]);
}

/** Notes what a person has to look at, once. */
export const find = (tx, key, detail) =>
  tx.query('INSERT INTO findings (key, detail) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [key, detail]);
