// A small shop that is paid through Paydesk. README.md says how to run it.
import { createClient, PaydeskError } from '@paydesk/sdk';
import { openDatabase } from './lib/database.js';
import { workOffNotifications } from './lib/notifications.js';
import { refreshOpenOrders } from './lib/orders.js';
import { reconcileBooks } from './lib/reconciliation.js';
import { createShopServer } from './lib/server.js';
import { readSettings } from './lib/settings.js';

const settings = readSettings(process.env);
const db = await openDatabase(settings.database_url);
const paydesk = createClient({
  base_url: settings.paydesk_url,
  client_id: settings.client_id,
  client_secret: settings.client_secret,
});
const shop = { settings, db, paydesk };

const server = createShopServer(shop);
server.listen(settings.port, '127.0.0.1', () => console.log(`listening on ${settings.shop_url}`));
server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});

/** Runs work again and again, never twice at once. A failure is told, and the next time tries again. */
function repeat(work, nextDelay) {
  const timer = setTimeout(async () => {
    try {
      await work();
    } catch (error) {
      console.error(error instanceof PaydeskError ? error.message : error);
    }
    repeat(work, nextDelay);
  }, nextDelay());
  timer.unref();
}

/** Milliseconds until three o'clock at night. */
function untilTonight() {
  const next = new Date();
  next.setHours(3, 0, 0, 0);
  if (next <= new Date()) next.setDate(next.getDate() + 1);
  return next.getTime() - Date.now();
}

repeat(
  () => workOffNotifications(shop),
  () => 10_000,
);
repeat(
  () => refreshOpenOrders(shop),
  () => 60_000,
);
repeat(async () => {
  for (const sentence of await reconcileBooks(shop, new Date())) console.warn(`differs: ${sentence}`);
}, untilTonight);

async function stop() {
  server.close();
  server.closeIdleConnections();
  await db.close();
  process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Started by `npm start`: it ends with that, however that ends.
process.once('disconnect', stop);
