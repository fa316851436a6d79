import { signatureHeader } from '@paydesk/cardsim';
import { type Row, sql } from '../../src/base/pg/index.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { receiveCardWebhook } from '../../src/payments/webhooks/receive-webhook.ts';
import { processCardWebhooks } from '../../src/payments/webhooks/process-webhooks.ts';
import { ask, listAll, listOf } from './provider-records.ts';
import { actor, anyOf, type Begun, type Move, type Story } from './story.ts';
import { type Deps, webhook_secret } from './world.ts';

interface Session {
  id: string;
  status: string;
  payment_status: string;
  amount_total: number;
}

/** A call of the provider by a buyer. A refused call has no effect. */
export const sim = ({ world }: Story, method: string, path: string, body?: unknown): Promise<unknown> =>
  body === undefined
    ? ask(world, method, `/_sim${path}`)
    : ask(world, method, `/_sim${path}`, { 'content-type': 'application/json' }, JSON.stringify(body));

export const itemsOf = async <T>(story: Story, path: string): Promise<T[]> =>
  ((await sim(story, 'GET', path)) as { items: T[] }).items;

/** Wrong payments of a buyer: too little, too much, or in another currency. */
export const wrong: readonly [object, ...object[]] = [
  { amount_total: 1 },
  { amount_total: 7_777_777 },
  { currency: 'eur' },
];

const buyerPays =
  (how: { async: boolean; wrong: boolean }) =>
  (story: Story): Begun => ({
    outside: async () => {
      const open = (await itemsOf<Session>(story, '/sessions')).filter(({ status }) => status === 'open');
      const session = anyOf(story, open.slice(-4));
      if (session === null) return false;
      const { async } = how;
      if (async) story.slow.payments = true;
      const instead = how.wrong ? story.world.random.pick(wrong) : {};
      await sim(story, 'POST', `/sessions/${session.id}/pay`, { async, webhook: 'none', ...instead });
      return true;
    },
  });

/** The buyer on the provider's page pays, and the service gets the webhook. */
export async function allPay(story: Story, deps: Deps): Promise<void> {
  for (const { id } of await itemsOf<Session>(story, '/sessions')) {
    await sim(story, 'POST', `/sessions/${id}/pay`, { webhook: 'none' });
  }
  await tellNews(story, deps);
}

/** The service receives the missing webhooks and processes them. */
export async function tellNews(story: Story, deps: Deps): Promise<void> {
  const events = await itemsOf<ProviderEvent>(story, '/events');
  const news = events.slice(story.told);
  story.told = events.length;
  for (const event of news) await receive(story, deps, event);
  if (news.length > 0) await processCardWebhooks(deps.payments);
}

/** The provider has two sessions for one attempt, or one for a request that it refused, and a buyer pays it. */
const paidTwice = (story: Story): Begun => ({
  outside: async () => {
    const twin = anyOf(story, await latestTwins(story));
    return twin !== null && (await sessionPaid(story, twin));
  },
});

/** The latest attempts, those that were refused first. */
export const latestTwins = ({ world: { db } }: Story): Promise<Twin[]> =>
  db.query<Twin>(
    sql`SELECT attempt_id, order_no, merchant_id, payment_no, amount, currency FROM payment_attempts
      WHERE provider = 'cardprov' ORDER BY state = 'rejected' DESC, attempt_id DESC LIMIT 2`,
  );

/**
 * A payment of a session that the service did not create, for an attempt or for none. Returns whether it was possible.
 */
export async function sessionPaid(story: Story, twin: Twin): Promise<boolean> {
  const answer = await fetch(`${story.world.cardsim.url}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk_live_${twin.payment_no}` },
    body: new URLSearchParams({
      mode: 'payment',
      client_reference_id: twin.attempt_id,
      'metadata[order_no]': twin.order_no,
      'metadata[merchant_id]': twin.merchant_id,
      'metadata[twin]': 'yes',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': twin.currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': twin.amount.toString(),
      'line_items[0][price_data][product_data][name]': 'Twin',
      success_url: 'https://shop.example/',
      cancel_url: 'https://shop.example/',
    }),
    // An armed fault of the provider also hits this call: no answer, or an unreadable one.
  }).catch(() => null);
  const { id } = ((await answer?.json().catch(() => null)) ?? {}) as { id?: string };
  if (id === undefined) return false;
  await sim(story, 'POST', `/sessions/${id}/pay`, { webhook: 'none' });
  return true;
}

export interface Twin extends Row {
  attempt_id: string;
  order_no: string;
  merchant_id: string;
  payment_no: string;
  amount: bigint;
  currency: string;
}

/**
 * A buyer goes to the bank, or the bank decides; it may also be the first that anybody hears of it. At times there is one
 * more about the payment, or the bank takes up again what had ended.
 */
const disputed = (story: Story): Begun => ({
  outside: async () => {
    const paid = (await itemsOf<Session>(story, '/sessions')).filter((one) => one.payment_status === 'paid');
    const session = anyOf(story, paid.slice(-3));
    if (session === null) return false;
    const [outcome, partOf] = story.world.random.pick(disputes);
    const which = story.world.random.pick([{}, {}, { another: true }, { reopen: true }]);
    const about = { ...partOf(session.amount_total), ...(outcome === null ? {} : { outcome }), ...which };
    await sim(story, 'POST', `/sessions/${session.id}/dispute`, about);
    return true;
  },
});

/** The provider's dashboard returns all that is left of one of the latest payments, one that is what was asked for. */
const refundedInDashboard = (story: Story): Begun => ({
  outside: async () => {
    const paid = await story.world.db.query<{ payment_no: string; payment_id: string }>(
      sql`SELECT payment_no, provider_trade_no AS payment_id FROM payment_attempts
        WHERE provider = 'cardprov' AND state IN ('paid', 'paid_late') AND NOT EXISTS (
          SELECT 1 FROM payment_cases c WHERE c.provider_payment_id = provider_trade_no)
        ORDER BY attempt_id DESC LIMIT 3`,
    );
    const one = anyOf(story, paid);
    if (one === null) return false;
    await refundedBy(story, one.payment_no, { payment_intent: one.payment_id });
    return true;
  },
});

/** The provider's dashboard refunds a part of the latest payment, or all that is left of it. It may be refused, or fail. */
export async function refundsPart(story: Story, amount: number | null): Promise<void> {
  const [latest] = await story.world.db.query<{ payment_no: string }>(
    sql`SELECT payment_no FROM payment_attempts WHERE provider = 'cardprov' ORDER BY attempt_id DESC LIMIT 1`,
  );
  const [session] = await itemsOf<{ payment_intent: string | null }>(story, '/sessions');
  const payment_intent = session?.payment_intent ?? null;
  if (latest === undefined || payment_intent === null) return;
  await refundedBy(story, latest.payment_no, {
    payment_intent,
    ...(amount === null ? {} : { amount: String(amount) }),
  });
}

/** A refund that has succeeded fails days later. */
export async function refundFails(story: Story): Promise<void> {
  const done = (await listAll(story.world, 'refunds')).filter(({ status }) => status === 'succeeded');
  const one = anyOf(story, done);
  if (one !== null) await sim(story, 'POST', `/refunds/${one.id}/settle`, { outcome: 'failed' });
}

const refundedBy = ({ world }: Story, payment_no: string, about: Record<string, string>): Promise<unknown> =>
  fetch(`${world.cardsim.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer sk_live_${payment_no}` },
    body: new URLSearchParams(about),
    // The provider may refuse it, or fail.
  }).catch(() => null);

/** What a dispute is about: mostly all that is left of a payment. */
const parts: readonly ((paid: number) => { amount?: number })[] = [
  ...Array.from({ length: 9 }, () => () => ({})),
  () => ({ amount: 1 }),
  (paid) => ({ amount: Math.ceil(paid / 2) }),
  (paid) => ({ amount: Math.max(1, paid - 1) }),
];

type Disputed = readonly [outcome: 'lost' | 'won' | null, partOf: (typeof parts)[number]];

const disputes = ([null, 'lost', 'won'] as const).flatMap((outcome) =>
  parts.map((partOf): Disputed => [outcome, partOf]),
) as [Disputed, ...Disputed[]];

/** Slow work at the provider finishes: payments and refunds. */
export async function settleAsync(story: Story, outcome: () => string): Promise<boolean> {
  const sessions = story.slow.payments ? await itemsOf<Session>(story, '/sessions') : [];
  const slow = sessions.filter(
    ({ status, payment_status }) => status === 'complete' && payment_status === 'unpaid',
  );
  for (const { id } of slow) await sim(story, 'POST', `/sessions/${id}/settle-async`, { outcome: outcome() });
  const listed = story.slow.refunds ? await listAll(story.world, 'refunds') : [];
  const refunds = listed.filter(({ status }) => status === 'pending');
  for (const { id } of refunds) await sim(story, 'POST', `/refunds/${id}/settle`, { outcome: outcome() });
  return slow.length + refunds.length > 0;
}

/**
 * Any of the last events, once more or for the first time: webhooks come late, twice and in any order. At times one comes
 * to every channel: the channels of other accounts ignore it.
 */
export async function webhook(story: Story, deps: Deps): Promise<void> {
  const events = await itemsOf<ProviderEvent>(story, '/events');
  const event = anyOf(story, events.slice(-5));
  if (event === null) return;
  const { channels, random } = story.world;
  await receive(story, deps, event, random.between(0, 7) === 0 ? channels : undefined);
  await processCardWebhooks(deps.payments);
}

export interface ProviderEvent {
  id: string;
}

/**
 * A signed webhook arrives.
 *
 * @param to the channels that get it; by default the one whose account the event belongs to
 */
export async function receive(
  story: Story,
  { payments }: Deps,
  event: ProviderEvent,
  to?: readonly Channel[],
): Promise<void> {
  const body = JSON.stringify(event);
  for (const { webhook_key } of to ?? [await channelOf(story, event)]) {
    if (webhook_key === null) continue;
    const now_s = Math.floor(payments.clock.real().getTime() / 1_000);
    const signature = signatureHeader(body, webhook_secret, now_s);
    await receiveCardWebhook(payments, webhook_key, Buffer.from(body), signature);
  }
}

/** The channel whose account an event belongs to: each account lists its own. */
async function channelOf({ world, accounts }: Story, { id }: ProviderEvent): Promise<Channel> {
  if (!accounts.has(id)) {
    for (const channel of world.channels) {
      if (channel.provider !== 'cardprov') continue;
      for (const own of await listOf(world, channel.payment_no, 'events')) accounts.set(own.id, channel);
    }
  }
  const channel = accounts.get(id);
  if (channel === undefined) throw new Error(`${id} belongs to no account`);
  return channel;
}

/** Something that goes wrong with the next call of an endpoint. */
export interface Fault {
  endpoint: string;
  mode: string;
  [more: string]: unknown;
}

/** Faults of the provider, one call after the other. */
const faults: readonly [Fault[], ...Fault[][]] = [
  // The first request created a session without an answer; the next is refused.
  [
    { endpoint: 'sessions.create', mode: 'reset_after' },
    { endpoint: 'sessions.create', mode: 'status', status: 400 },
  ],
  [{ endpoint: 'sessions.create', mode: 'status', status: 500 }],
  [{ endpoint: 'sessions.create', mode: 'status', status: 400 }],
  [{ endpoint: 'sessions.create', mode: 'status', status: 429 }],
  [{ endpoint: 'sessions.create', mode: 'amount', amount_total: 5 }],
  [{ endpoint: 'sessions.create', mode: 'currency', currency: 'eur' }],
  [{ endpoint: 'sessions.create', mode: 'reset_after' }],
  [{ endpoint: 'sessions.create', mode: 'truncate' }],
  [{ endpoint: 'sessions.retrieve', mode: 'status', status: 500 }],
  [{ endpoint: 'refunds.create', mode: 'reset_after' }],
  [{ endpoint: 'refunds.create', mode: 'status', status: 500 }],
  [{ endpoint: 'refunds.create', mode: 'pending' }],
  [{ endpoint: 'sessions.list', mode: 'status', status: 500 }],
  [{ endpoint: 'sessions.expire', mode: 'reset_after' }],
  [{ endpoint: 'sessions.expire', mode: 'status', status: 500 }],
];

/** The provider's lists may lag once, for less than the time between two look-ups. */
const lag_s = 45;

export function lag({ lists, clock }: Story['world']): void {
  lists.lag_until = new Date(clock.now().getTime() + lag_s * 1_000);
}

const listsLag = (story: Story): Begun | null => {
  const { world } = story;
  if (world.lists.lag_until !== null) return null;
  return {
    outside: () => {
      lag(world);
      return Promise.resolve(true);
    },
  };
};

const fails = (story: Story): Begun => {
  const together = story.world.random.pick(faults);
  return {
    outside: async () => {
      await arm(story, together);
      return true;
    },
  };
};

export async function arm(story: Story, together: readonly Fault[]): Promise<void> {
  for (const fault of together) {
    if (fault.mode === 'pending') story.slow.refunds = true;
    await sim(story, 'POST', '/faults', fault);
  }
}

const slowEnd = (story: Story): Begun => ({
  outside: () => settleAsync(story, () => story.world.random.pick(['succeeded', 'failed'])),
});

export const providerMoves: readonly Move[] = [
  { name: 'the buyer pays', weight: 8, begin: buyerPays({ async: false, wrong: false }) },
  { name: 'the buyer pays slowly', weight: 2, begin: buyerPays({ async: true, wrong: false }) },
  { name: 'the buyer pays something else', weight: 1, begin: buyerPays({ async: false, wrong: true }) },
  { name: 'slow payments end', weight: 1, begin: slowEnd },
  { name: 'a twin of a session is paid', weight: 1, begin: paidTwice },
  { name: 'webhook', weight: 4, begin: (story) => actor((deps) => webhook(story, deps)) },
  { name: 'dispute', weight: 2, begin: disputed },
  { name: 'the dashboard refunds', weight: 1, begin: refundedInDashboard },
  { name: 'the provider fails', weight: 3, begin: fails },
  { name: 'the provider’s lists lag', weight: 1, begin: listsLag },
];
