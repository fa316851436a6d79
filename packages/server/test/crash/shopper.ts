import { randomUUID } from 'node:crypto';
import { type Answer, ask, type Json } from './ask.ts';
import { isKnownPaid, type Kind, kinds, type OrderRecord } from './order-record.ts';
import type { Random } from '../support/random.ts';
import { checkoutCall, merchantCall, type Shop, untilAnswered } from './shop.ts';

/** Between two orders: on a fast machine, a round would else hold more orders than the limits let anyone check. */
const longestThought_ms = 250;

/** Takes one order after the other until the shop closes; finishes what it has begun. */
export async function shopper(shop: Shop, random: Random): Promise<void> {
  while (!shop.closed) {
    const record = newRecord(shop, random);
    await create(shop, record, random);
    shop.records.push(record);
    if (record.kind === 'ptk') await payFromWallet(shop, record, random);
    if (record.kind === 'card' || record.kind === 'abandoned') await payByCard(shop, record, random);
    await read(shop, random.pick([record, ...shop.records]));
    await new Promise((resolve) => setTimeout(resolve, random.between(0, longestThought_ms)));
  }
}

function newRecord(shop: Shop, random: Random): OrderRecord {
  const kind = random.pick<Kind>(['ptk', 'ptk', 'card', 'card', ...kinds]);
  const external_reference = `order-${randomUUID()}`;
  const { buyers } = shop.platform;
  const isOdd = random.next() < 0.5;
  return {
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
    order_no: '',
    checkout_token: '',
    seen: { status: 'pending', status_version: 1 },
    acknowledged: 0,
    found_paid: false,
    lost_starts: 0,
    redirect_url: '',
    paid_at_provider: false,
  };
}

/** How often a call is made at the same time: now and then a client is impatient. */
const times = (random: Random): number => (random.next() < 0.3 ? random.between(2, 3) : 1);

async function together<T>(count: number, call: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, call));
}

/** Creates the order; a key stands for one order, however often it is sent. */
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

/** Starts the payment until the service says, or shows, that it is paid; from several tabs at once at times. */
async function payFromWallet(shop: Shop, record: OrderRecord, random: Random): Promise<void> {
  const method_id = await methodOf(shop, record, 'ptk');
  const count = times(random);
  shop.counts.repeated_calls += count - 1;
  await together(count, async () => {
    const { status, text } = await startUntilAnswered(shop, record, method_id);
    if (status === 200) record.acknowledged++;
    else if (status === 409) await findPaid(shop, record);
    else shop.problems.push(`PTK payment of ${record.order_no}: ${status} ${text}`);
  });
}

function startUntilAnswered(
  shop: Shop,
  record: OrderRecord,
  method_id: string,
): Promise<Answer<{ redirect_url?: string }>> {
  return untilAnswered(
    shop,
    () => checkoutCall<{ redirect_url?: string }>(shop, record, method_id),
    () => {
      record.lost_starts++;
      shop.counts.lost_starts++;
    },
  );
}

/** Somebody has paid already: then the order has to say so. */
async function findPaid(shop: Shop, record: OrderRecord): Promise<void> {
  await read(shop, record);
  if (record.seen.status === 'paid') record.found_paid = true;
  else shop.problems.push(`${record.order_no} refuses a payment but is ${record.seen.status}`);
}

/**
 * Starts a card payment and pays at the provider, but for those who give up there. A buyer whose start was cut off
 * by a kill comes back until the provider's page opens, which takes as long as the dead process's hold on the
 * attempt; the shopper goes on meanwhile.
 */
async function payByCard(shop: Shop, record: OrderRecord, random: Random): Promise<void> {
  const method_id = await methodOf(shop, record, 'cardprov');
  const count = times(random);
  shop.counts.repeated_calls += count - 1;
  const twice = random.next() < 0.2;
  const answers = await together(count, () => checkoutCall<Redirect>(shop, record, method_id));
  const opened = answers.map((answer) => take(shop, record, answer));
  if (opened.includes(true)) {
    await payAtProvider(shop, record, twice);
    return;
  }
  const coming = comeBack(shop, record, { method_id, twice }).finally(() => shop.returning.delete(coming));
  shop.returning.add(coming);
}

interface Redirect {
  redirect_url: string;
}

/** Notes the answer to a start; true where it opens the provider's page. */
function take(shop: Shop, record: OrderRecord, answer: Answer<Redirect> | null): boolean {
  if (answer === null || answer.status === 503) {
    record.lost_starts++;
    shop.counts.lost_starts++;
    return false;
  }
  const { status, body, text } = answer;
  if (status === 200) {
    if (record.redirect_url !== '' && record.redirect_url !== body.redirect_url) {
      shop.problems.push(`${record.order_no} leads to two pages of the provider`);
    }
    record.redirect_url = body.redirect_url;
    return true;
  }
  if (status !== 202) shop.problems.push(`card payment of ${record.order_no}: ${status} ${text}`);
  return false;
}

async function comeBack(
  shop: Shop,
  record: OrderRecord,
  { method_id, twice }: { method_id: string; twice: boolean },
): Promise<void> {
  try {
    do await shop.paydesk.door.passed();
    while (!take(shop, record, await checkoutCall<Redirect>(shop, record, method_id)));
    await payAtProvider(shop, record, twice);
  } catch (error) {
    shop.problems.push(`coming back to ${record.order_no}: ${(error as Error).message}`);
  }
}

/** @param twice whether the provider reports the payment twice */
async function payAtProvider(shop: Shop, record: OrderRecord, twice: boolean): Promise<void> {
  if (record.kind === 'abandoned') return;
  const session = new URL(record.redirect_url).pathname.split('/').at(-1) ?? '';
  const paid = await ask(`${shop.cardsim.url}/_sim/sessions/${session}/pay`, 'POST', {
    body: { webhook: twice ? 'duplicate' : 'normal' },
  });
  if (paid?.status === 200) record.paid_at_provider = true;
  else shop.problems.push(`paying ${record.order_no} at the provider: ${paid?.text ?? 'no answer'}`);
}

interface Read extends Json {
  order_no: string;
  status: string;
  status_version: number;
}

/** Reads an order as its merchant: what was shown or acknowledged before never goes back. */
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
