/** Receives notifications: verified, stored, then answered, and then taken into the books. */
import { readRawBody, verifyNotification } from '@paydesk/sdk';
import { applyState } from './posting.js';

/** Answers one delivery. An error answers 500, and Paydesk sends the notification again. */
export async function receiveNotification(shop, request, response) {
  const raw_body = await readRawBody(request);
  const secrets = shop.settings.notify_secrets;
  const result = verifyNotification({ headers: request.headers, raw_body, secrets });
  if (!result.ok) {
    console.warn(`refused a notification: ${result.reason} (${result.detail})`);
    response.writeHead(400).end();
    return;
  }
  const { notification } = result;
  await shop.db.rows('INSERT INTO notifications (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [
    notification.id,
    notification,
  ]);
  response.writeHead(204).end();
  await workOff(shop, notification);
}

/** What was stored and not worked off, because the shop stopped in between. */
export async function workOffNotifications(shop) {
  const waiting = await shop.db.rows(
    'SELECT body FROM notifications WHERE done_at IS NULL ORDER BY received_at LIMIT 100',
  );
  for (const { body } of waiting) await workOff(shop, body);
}

/** An order that is not ours belongs to another program of the merchant: nothing to do. */
async function workOff({ db, settings }, { id, data }) {
  await applyState(db, data, settings);
  await db.rows('UPDATE notifications SET done_at = now() WHERE id = $1', [id]);
}
