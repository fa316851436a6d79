/** Uses a service once with every call of the SDK for Node.js, as the `live` programs of the other languages do. */
import {
  createClient,
  decidePosting,
  isPaid,
  PaydeskError,
  verifyNotification,
  verifyStandardWebhook,
  type CreateOrderInput,
  type PaydeskClient,
  type VerifyResult,
} from '@paydesk/sdk';

/** What a test has prepared at the service, as `PAYDESK_LIVE` tells it to the programs. */
export interface LiveWorld {
  /** What the references of this run begin with. */
  prefix: string;
  /** An order that is paid, and the delivery that said so. */
  paid_order_no: string;
  external_reference: string;
  settlement_ptk: string;
  headers: Record<string, string>;
  body_base64: string;
  secret: string;
  user_token: string;
  gd_no: string;
  /** A channel that pays for catalog orders at once. */
  payment_no: string;
}

export interface Credentials {
  base_url: string;
  client_id: string;
  client_secret: string;
}

export async function useLiveService(credentials: Credentials, live: LiveWorld): Promise<unknown> {
  let tokens = 0;
  const client = createClient({
    ...credentials,
    onAttempt: ({ url }) => {
      if (url.endsWith('/oauth/token')) tokens += 1;
    },
  });
  const found = {
    ...(await collection(client, `${live.prefix}-node`)),
    ...(await payment(client, live)),
    ...(await catalog(client, live)),
  };
  return { ...found, tokens };
}

async function collection(client: PaydeskClient, prefix: string) {
  const members: CreateOrderInput = {
    ...{ external_reference: `${prefix}-1`, idempotency_key: `${prefix}-1` },
    ...{ amount: '10.00', currency: 'USD', notify_enabled: false },
  };
  const order = await client.createOrder(members);
  const read = await client.getOrder(order.order_no);
  const external_reference = `${prefix}-2`;
  const other = { ...members, external_reference, idempotency_key: external_reference };
  const second = await client.createOrder(other);
  const references: string[] = [];
  for await (const one of client.orders({ limit: 2 })) references.push(one.external_reference);
  const refused = (changes: { amount: string; idempotency_key?: string }) =>
    errorOf(client.createOrder({ ...members, ...changes }));
  return {
    created: [order.external_reference, order.amount, order.amount_minor, order.currency, order.status],
    again: (await client.createOrder(members)).order_no === order.order_no,
    conflict: await refused({ amount: '11.00' }),
    invalid: await refused({ amount: '1e3', idempotency_key: `${prefix}-3` }),
    read: [read.order_no === order.order_no, read.status, read.fee_status, isPaid(read)],
    missing: (await errorOf(client.getOrder('mp_00000000000000000000000000'))).slice(0, 2),
    listed: (await client.listOrders({ external_reference })).map((one) => one.order_no === second.order_no),
    paged: references.filter((reference) => reference.startsWith(`${prefix}-`)),
    channels: (await client.channels()).map(({ provider }) => provider).sort(),
  };
}

async function payment(client: PaydeskClient, live: LiveWorld) {
  const order = await client.getOrder(live.paid_order_no);
  const records = await client.notifications(order.order_no);
  const paid = records.find(({ event }) => (event as { data: { status: string } }).data.status === 'paid');
  await client.retryNotification(order.order_no, paid?.event_id ?? '');
  const request = {
    headers: live.headers,
    raw_body: Buffer.from(live.body_base64, 'base64'),
    secrets: live.secret,
  };
  const [own, standard] = [verifyNotification(request), verifyStandardWebhook(request)].map(notificationOf);
  const { external_reference } = live;
  const expected = { external_reference, amount: '10', currency: 'USD' };
  const first = own === undefined ? undefined : decidePosting(undefined, own.data, expected);
  const posted_event_id = first?.action === 'post' ? first.event_id : null;
  const stored = { status_version: order.status_version, posted_event_id };
  return {
    paid: [order.status, order.event_id === posted_event_id, order.settlement_ptk === live.settlement_ptk],
    delivered: [paid?.delivery_status, paid?.event_id === standard?.id],
    posting: [first?.action, decidePosting(stored, order, expected).action],
  };
}

async function catalog(client: PaydeskClient, { user_token, gd_no, payment_no }: LiveWorld) {
  const as = { user_token };
  const { order_no } = await client.catalog.createOrder({ gd_no, quantity: 2, payment_no }, as);
  const pending = await client.catalog.getOrder(order_no, as);
  const session = await client.catalog.startPayment(order_no, payment_no, as);
  const names: string[] = [];
  for await (const { gd_name } of client.catalog.products({ limit: 1 })) names.push(gd_name);
  const [product] = (await client.catalog.listProducts({ gd_no })).list;
  const { list } = await client.catalog.listProducts({ limit: 1 }, as);
  return {
    merchant: (await client.catalog.merchant()).name,
    products: names.sort(),
    price: String(product?.actual_price),
    page: [list.length, (await client.catalog.listProducts()).total],
    ordered: [pending.status, pending.quantity, String(pending.total_amount)],
    session: [session.trade_no !== '', session.redirect !== '', session.expire_time > 0],
    status: (await client.catalog.paymentStatus(order_no, as)).status,
    person: (await client.userInfo(user_token)).sub,
  };
}

const notificationOf = (result: VerifyResult) => (result.ok ? result.notification : undefined);

async function errorOf(call: Promise<unknown>): Promise<unknown[]> {
  try {
    await call;
    return [];
  } catch (error) {
    if (!(error instanceof PaydeskError)) throw error;
    return [error.status, error.code, error.field];
  }
}
