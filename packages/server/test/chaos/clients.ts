import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../crash/ask.ts';
import type { Buyer, Platform } from '../crash/platform.ts';
import { fromAnywhere } from '../support/desks/platform.ts';
import type { Random } from '../support/run/random.ts';
import { askOnce, type OneAnswer } from './ask-once.ts';
import type { Call, CallKind, History, Seen } from './history.ts';
import type { Inbox } from './receivers.ts';

/** What the clients of a run share. */
export interface Market {
  /** The origin of the balancer. */
  url: string;
  admin_key: string;
  platform: Platform;
  cardsim_url: string;
  inbox: Inbox;
  history: History;
  /** The calls without an answer so far. */
  under_way: Set<Promise<unknown>>;
  /** Set when clients are to begin nothing more. */
  closed: boolean;
}

/** Between two orders of a client. */
const longestThought_ms = 500;
/** Between two tries of a call that failed. */
const between_ms = 300;
/** After so many tries a client gives up; the order stays as it is. */
const mostTries = 200;

interface Order {
  client: string;
  key: string;
  order_no: string;
  checkout_token: string;
}

/** Creates orders, pays, reads and refunds them, one after the other, until the market closes. */
export async function runClient(market: Market, client: string, random: Random): Promise<void> {
  while (!market.closed) {
    const order = await create(market, client, random);
    if (order !== null) {
      if (random.next() < 0.4) await read(market, order);
      const isPaid =
        random.next() < 0.65 ? await payFromWallet(market, order, random) : await payByCard(market, order);
      await read(market, order);
      if (isPaid && random.next() < 0.15) await refund(market, order);
    }
    await pause(random.between(0, longestThought_ms));
  }
}

/** Repeats a call until it has a definite answer; null where it is given up. Each try is in the history. */
async function repeat(
  market: Market,
  of: Pick<Call, 'kind' | 'client' | 'key'> & Partial<Call>,
  send: () => Promise<OneAnswer>,
  more: (answer: OneAnswer) => Partial<Call>,
): Promise<OneAnswer | null> {
  for (let tries = 0; tries < mostTries; tries++) {
    const sent = send();
    market.under_way.add(sent);
    const answer = await sent;
    market.under_way.delete(sent);
    const { from_ms, to_ms, status, error } = answer;
    if (status !== 429) {
      market.history.calls.push({ order_no: '', ...of, from_ms, to_ms, status, error, ...more(answer) });
    }
    if (status !== 0 && status !== 408 && status !== 429 && status < 500) return answer;
    if (market.closed && tries > 20) return null;
    await pause(between_ms);
  }
  return null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function seenIn({ order_no, status, status_version, event_id }: Json): Partial<Call> {
  if (typeof order_no !== 'string') return {};
  if (typeof status_version !== 'number') return { order_no };
  const order: Seen = { status: textOf(status), status_version, event_id: textOf(event_id) || null };
  return { order_no, order };
}

/** A call of the merchant's server, by the next client that the limits let through. */
function merchantSend(
  { url, platform }: Market,
  method: string,
  path: string,
  body?: unknown,
): Promise<OneAnswer> {
  const client = platform.clients.shift();
  if (client === undefined) throw new Error('a merchant without clients');
  platform.clients.push(client);
  return askOnce(`${url}/openapi/v1${path}`, method, { authorization: `Bearer ${client.token}` }, body);
}

async function create(market: Market, client: string, random: Random): Promise<Order | null> {
  const external_reference = `order-${randomUUID()}`;
  const key = `${external_reference}/1`;
  const request = {
    ...{ external_reference, idempotency_key: key, currency: 'USD', expires_in: 7_200 },
    amount: `${random.between(1, 99)}.${random.between(10, 99)}`,
    ...market.inbox.targetOf(external_reference),
  };
  const send = (): Promise<OneAnswer> => merchantSend(market, 'POST', '/merchant-payments', request);
  const of = { kind: 'create' as const, client, key };
  // Now and then a client is impatient and asks twice at once.
  const count = random.next() < 0.2 ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: count }, () => repeat(market, of, send, ({ body }) => seenIn(body))),
  );
  const body = answers.find((answer) => answer?.status === 201)?.body;
  if (body === undefined) return null;
  const token = new URL(textOf(body.checkout_url)).searchParams.get('token') ?? '';
  return { client, key, order_no: textOf(body.order_no), checkout_token: token };
}

async function read(market: Market, { client, key, order_no }: Order): Promise<void> {
  await repeat(
    market,
    { kind: 'read', client, key, order_no },
    () => merchantSend(market, 'GET', `/merchant-payments/${order_no}`),
    ({ body }) => seenIn(body),
  );
}

function checkoutSend(
  { url }: Market,
  order: Order,
  buyer: Buyer | null,
  method_id?: string,
): Promise<OneAnswer> {
  const headers = {
    ...{ 'x-checkout-token': order.checkout_token, origin: url },
    ...fromAnywhere(),
    ...(buyer === null ? {} : { cookie: buyer.cookie }),
  };
  const path = `${url}/checkout/api/${order.order_no}`;
  return method_id === undefined
    ? askOnce(path, 'GET', headers)
    : askOnce(`${path}/payments`, 'POST', headers, { method_id });
}

/** Opens the checkout and chooses there. */
async function methodOf(market: Market, order: Order, provider: string): Promise<string | null> {
  const { client, key, order_no } = order;
  const answer = await repeat(
    market,
    { kind: 'open', client, key, order_no },
    () => checkoutSend(market, order, null),
    () => ({}),
  );
  if (answer?.status !== 200) return null;
  const methods = answer.body.methods as { method_id: string; provider: string }[];
  return methods.find((method) => method.provider === provider)?.method_id ?? null;
}

/** Whether the order is known to be paid afterwards. */
async function payFromWallet(market: Market, order: Order, random: Random): Promise<boolean> {
  const buyer = random.pick(market.platform.buyers);
  const method_id = await methodOf(market, order, 'ptk');
  if (method_id === null) return false;
  const { client, key, order_no } = order;
  const of = { kind: 'pay' as const, client, key, order_no, method: 'ptk' as const };
  const count = random.next() < 0.2 ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      repeat(
        market,
        of,
        () => checkoutSend(market, order, buyer, method_id),
        () => ({}),
      ),
    ),
  );
  return answers.some((answer) => answer?.status === 200);
}

async function payByCard(market: Market, order: Order): Promise<boolean> {
  const method_id = await methodOf(market, order, 'cardprov');
  if (method_id === null) return false;
  const { client, key, order_no } = order;
  const of = { kind: 'pay' as const, client, key, order_no, method: 'card' as const };
  for (let tries = 0; tries < mostTries; tries++) {
    const answer = await repeat(
      market,
      of,
      () => checkoutSend(market, order, null, method_id),
      () => ({}),
    );
    if (answer === null || answer.status >= 300) return false;
    const redirect_url = textOf(answer.body.redirect_url);
    if (answer.status === 200 && redirect_url !== '') return payAtProvider(market, order, redirect_url);
    if (market.closed) return false;
    await pause(1_000);
  }
  return false;
}

async function payAtProvider(market: Market, { order_no }: Order, redirect_url: string): Promise<boolean> {
  const session = new URL(redirect_url).pathname.split('/').at(-1) ?? '';
  const answer = await askOnce(`${market.cardsim_url}/_sim/sessions/${session}/pay`, 'POST', {}, {});
  if (answer.status !== 200) return false;
  market.history.provider_payments.push({ order_no, from_ms: answer.from_ms });
  return false;
}

/** An administrator refunds the order. */
async function refund(market: Market, { client, key, order_no }: Order): Promise<void> {
  const path = `${market.url}/admin/v1/collection-orders/${order_no}/refunds`;
  const headers = { authorization: `Bearer ${market.admin_key}` };
  const kind: CallKind = 'refund';
  await repeat(
    market,
    { kind, client, key, order_no },
    () => askOnce(path, 'POST', headers, { reason: 'returned goods' }),
    ({ body }) => (typeof body.refund_id === 'string' ? { refund: textOf(body.status) } : {}),
  );
}
