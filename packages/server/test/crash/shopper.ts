import { randomUUID } from 'node:crypto';
import type { Answer, Json } from './ask.ts';
import { type Kind, kinds, type OrderRecord } from './order-record.ts';
import { payByCard, payFromWallet, type Redirect, times, together } from './pay.ts';
import { isKnownPaid, nothingPaid } from './payment-record.ts';
import { purchase } from './purchase.ts';
import type { Random } from '../support/run/random.ts';
import { checkoutCall, merchantCall, type Shop, untilAnswered } from './shop.ts';

/** Between two orders: on a fast machine, a round would else hold more orders than the limits let anyone check. */
const longestThought_ms = 250;

/** The share of purchases from the catalog; the rest are collection orders. */
const fromCatalog = 0.3;

/** Handles one order after the other until the shop closes, and finishes the last. */
export async function shopper(shop: Shop, random: Random): Promise<void> {
  while (!shop.closed) {
    if (random.next() < fromCatalog) await purchase(shop, random);
    else await order(shop, random);
    await new Promise((resolve) => setTimeout(resolve, random.between(0, longestThought_ms)));
  }
}

/** Has the merchant's server create an order, pays it at the checkout, or not, and reads it or another. */
async function order(shop: Shop, random: Random): Promise<void> {
  const record = newRecord(shop, random);
  await create(shop, record, random);
  shop.records.push(record);
  await pay(shop, record, random);
  await read(shop, random.pick([record, ...shop.records]));
}

function newRecord(shop: Shop, random: Random): OrderRecord {
  const kind = random.pick<Kind>(['ptk', 'ptk', 'card', 'card', ...kinds]);
  const external_reference = `order-${randomUUID()}`;
  const { buyers } = shop.platform;
  const isOdd = random.next() < 0.5;
  return {
    ...nothingPaid(),
    kind,
    request: {
      external_reference,
      idempotency_key: `${external_reference}/1`,
      amount: `${random.between(1, 99)}.${random.between(10, 99)}`,
      currency: 'USD',
      expires_in: kind === 'fleeting' ? 60 : 7_200,
      description: isOdd ? 'Zwei Bücher – „gebraucht“' : null,
      ...shop.inbox.targetOf(external_reference),
    },
    buyer_user_id: kind === 'ptk' ? (buyers[random.between(0, buyers.length - 1)]?.user_id ?? null) : null,
    checkout_token: '',
    seen: { status: 'pending', status_version: 1 },
  };
}

/** Creates the order; a key means one order, also if it is sent many times. */
async function create(shop: Shop, record: OrderRecord, random: Random): Promise<void> {
  const { problems, counts } = shop;
  const count = times(random);
  counts.repeated_calls += count - 1;
  const answers = await together(count, () =>
    untilAnswered(
      shop,
      () => createOnce(shop, record),
      () => counts.lost_creations++,
    ),
  );
  for (const { status, body, text } of answers) {
    if (status !== 201) {
      problems.push(`creation of ${record.request.external_reference}: ${status} ${text}`);
      continue;
    }
    if (record.order_no !== '' && record.order_no !== body.order_no) {
      problems.push(`one key, two orders: ${record.order_no} and ${body.order_no}`);
    }
    record.order_no = body.order_no;
    record.checkout_token = new URL(body.checkout_url).searchParams.get('token') ?? '';
  }
}

export interface Created {
  order_no: string;
  checkout_url: string;
}

export const createOnce = (shop: Shop, { request }: OrderRecord): Promise<Answer<Created> | null> =>
  merchantCall<Created>(shop, 'POST', '/merchant-payments', request);

interface Methods {
  methods: { method_id: string; provider: string }[];
}

async function methodOf(shop: Shop, record: OrderRecord, provider: string): Promise<string> {
  const { status, body, text } = await untilAnswered(
    shop,
    () => checkoutCall<Methods>(shop, record),
    () => shop.counts.lost_reads++,
  );
  const method = status === 200 ? body.methods.find((known) => known.provider === provider) : undefined;
  if (method === undefined) throw new Error(`checkout of ${record.order_no}: ${status} ${text}`);
  return method.method_id;
}

/** Pays as a guest or from a wallet, at the checkout. */
async function pay(shop: Shop, record: OrderRecord, random: Random): Promise<void> {
  const { kind } = record;
  if (kind === 'ptk') {
    const method_id = await methodOf(shop, record, 'ptk');
    await payFromWallet(shop, record, random, {
      start: () => checkoutCall(shop, record, method_id),
      refusal: 409,
      isPaid: async () => {
        await read(shop, record);
        return record.seen.status === 'paid';
      },
    });
  }
  if (kind === 'card' || kind === 'abandoned') {
    const method_id = await methodOf(shop, record, 'cardprov');
    await payByCard(shop, record, random, {
      start: () => checkoutCall<Redirect>(shop, record, method_id),
      gives_up: kind === 'abandoned',
    });
  }
}

interface Read extends Json {
  order_no: string;
  status: string;
  status_version: number;
}

/** Reads an order as its merchant. A state that was shown or acknowledged must not be lost. */
async function read(shop: Shop, record: OrderRecord): Promise<void> {
  const before = { ...record.seen, isPaid: isKnownPaid(record) };
  const { status, body, text } = await untilAnswered(
    shop,
    () => merchantCall<Read>(shop, 'GET', `/merchant-payments/${record.order_no}`),
    () => shop.counts.lost_reads++,
  );
  if (status !== 200 || body.order_no !== record.order_no) {
    shop.problems.push(`reading ${record.order_no}: ${status} ${text}`);
    return;
  }
  if (body.status_version < before.status_version || (before.isPaid && body.status !== 'paid')) {
    shop.problems.push(
      `${record.order_no} went back from ${before.isPaid ? 'paid' : before.status} to ${body.status}`,
    );
  }
  if (body.status_version > record.seen.status_version) {
    record.seen = { status: body.status, status_version: body.status_version };
  }
}
