// Creates an order, prints its checkout address, and reads it until it is neither pending nor in review.
//
//   PAYDESK_URL=http://127.0.0.1:8080 CLIENT_ID=… CLIENT_SECRET=… node examples/create-order.js 10.00 USD
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, decidePosting, PaydeskError } from '@paydesk/sdk';

const { PAYDESK_URL = 'http://127.0.0.1:8080', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const [amount = '10.00', currency = 'USD'] = process.argv.slice(2);

const paydesk = createClient({
  base_url: PAYDESK_URL,
  token_endpoint: `${PAYDESK_URL}/oauth/token`,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
});

// A shop stores both with its own order before the call, so that a retry can send the same values.
const expected = { external_reference: `demo-${randomUUID()}`, amount, currency };
const idempotency_key = `${expected.external_reference}/1`;

try {
  const created = await paydesk.createOrder({ ...expected, idempotency_key });
  console.log(`Order ${created.order_no}. The buyer pays at:\n${created.checkout_url}`);
  await follow(created.order_no);
} catch (error) {
  if (!(error instanceof PaydeskError)) throw error;
  console.error(error.message, error.field === undefined ? '' : `(field ${error.field})`);
  process.exitCode = 1;
}

async function follow(order_no) {
  let stored;
  for (;;) {
    const order = await paydesk.getOrder(order_no);
    const decision = decidePosting(stored, order, expected, { accept_test_mode: true });
    if (decision.action === 'record') console.log(`${order.status} (version ${order.status_version})`);
    if (decision.action === 'post')
      console.log(`Paid: post ${order.amount} ${order.currency} for ${order.event_id}`);
    if (decision.action === 'mismatch')
      throw new Error(`The order differs in ${decision.differences.join(', ')}`);
    stored = { status_version: order.status_version, posted_event_id: order.event_id ?? null };
    // An expired order may still become paid. A shop learns this from a notification or from reconciliation.
    if (order.status !== 'pending' && order.status !== 'review') return;
    await wait(3000);
  }
}
