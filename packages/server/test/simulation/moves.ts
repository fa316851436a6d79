import { signatureHeader } from '@paydesk/cardsim';
import { type Row, sql } from '../../src/base/db.ts';
import { AppError } from '../../src/base/errors.ts';
import { createOrder } from '../../src/collection/create-order.ts';
import { sweepOverdue } from '../../src/collection/expire-order.ts';
import { readOrder } from '../../src/collection/read-orders.ts';
import { guaranteeDeposit, guaranteeReturn } from '../../src/ledger/wallet-operations.ts';
import { postOnce } from '../../src/ledger/post-once.ts';
import { topUp } from '../../src/ledger/top-up.ts';
import { decideWithdrawal, listWithdrawals, requestWithdrawal } from '../../src/ledger/withdrawals.ts';
import type { CaseAction } from '../../src/payments/case.ts';
import { receiveCardWebhook } from '../../src/payments/card-webhook.ts';
import { decideComplaint } from '../../src/payments/decide-complaint.ts';
import { followDueDisputes } from '../../src/payments/disputes.ts';
import { openComplaint } from '../../src/payments/open-complaint.ts';
import { processCardWebhooks } from '../../src/payments/process-webhooks.ts';
import { pursueCase, pursueDueCases } from '../../src/payments/pursue-case.ts';
import { pursueDueRefunds, pursueRefund } from '../../src/payments/pursue-refund.ts';
import { reconcileDue } from '../../src/payments/reconcile.ts';
import { releaseDueHolds } from '../../src/payments/release-holds.ts';
import { requestRefund } from '../../src/payments/request-refund.ts';
import { prepareResolution, resolveCase } from '../../src/payments/resolve-case.ts';
import { startPayment } from '../../src/payments/start-payment.ts';
import { selectQuotes } from '../../src/payments/payment.sql.ts';
import { currencies, type Deps, type Shop, webhook_secret, type World } from './world.ts';

/** An order that the simulation knows of. */
export interface KnownOrder {
  merchant_id: string;
  order_no: string;
  /** Its methods, so that what follows needs no look-up. */
  methods: readonly { method_id: string; provider: string }[];
}

/** What the moves of one seed have made so far. */
export interface Story {
  world: World;
  orders: KnownOrder[];
  references: number;
  /** Sessions whose payment is in dispute. */
  disputed: string[];
}

/** A course of action for an actor, or something that happens outside at once, if it can: it says so. */
export type Begun = { actor: (deps: Deps) => Promise<unknown> } | { outside: () => Promise<boolean> };

/** One thing that can happen. Whatever it chooses it chooses when it is begun, so that a seed tells the whole story. */
export interface Move {
  name: string;
  /** How often it is chosen, in comparison. */
  weight: number;
  /** Null where there is nothing that it could be done to. */
  begin(story: Story): Begun | null;
}

const actor = (work: (deps: Deps) => Promise<unknown>): Begun => ({ actor: work });

const anyOf = <T>(story: Story, items: readonly T[]): T | null => {
  const [first, ...others] = items;
  return first === undefined ? null : story.world.random.pick([first, ...others]);
};

const reference = (story: Story): string => `r${++story.references}`;

function beginCreation(story: Story): Begun {
  const { random, shops, channels } = story.world;
  const { merchant_id } = random.pick(shops);
  const { code } = random.pick(currencies);
  const minor = BigInt(random.pick([1, 99, 1_000, 1_000, 123_456, 9_007_199_254_740_991]));
  const payment_no = random.between(0, 4) === 0 ? random.pick(channels).payment_no : '';
  const expires_in = random.pick([60, 600, 600, 7_200]);
  const idempotency_key = reference(story);
  return actor(async ({ orders }) => {
    const { order_no } = await createOrder(orders, merchant_id, {
      external_reference: idempotency_key,
      idempotency_key,
      amount: { form: 'minor', value: minor },
      currency: code,
      payment_no,
      description: '',
      expires_in,
      return_url: '',
      notify: { mode: 'unspecified' },
    });
    const methods = await selectQuotes(orders.db, merchant_id, order_no);
    story.orders.push({ merchant_id, order_no, methods });
  });
}

function beginStart(provider: string) {
  return (story: Story): Begun | null => {
    const { random, buyers } = story.world;
    const order = anyOf(story, story.orders.slice(-3));
    const method = anyOf(
      story,
      (order?.methods ?? []).filter((candidate) => candidate.provider === provider),
    );
    if (order === null || method === null) return null;
    const { merchant_id, order_no } = order;
    const user_id = random.pick(buyers);
    return actor(({ payments }) =>
      startPayment(payments, { merchant_id, order_no, method_id: method.method_id, user_id }),
    );
  };
}

/** A move on one of the last orders. */
function onOrder(work: (story: Story, order: KnownOrder) => (deps: Deps) => Promise<unknown>) {
  return (story: Story): Begun | null => {
    const order = anyOf(story, story.orders.slice(-4));
    return order === null ? null : actor(work(story, order));
  };
}

const refunded =
  (_: Story, { merchant_id, order_no }: KnownOrder) =>
  async ({ payments }: Deps): Promise<void> => {
    const refund = await payments.db.transaction((tx) => requestRefund(payments, tx, merchant_id, order_no));
    await pursueRefund(payments, refund);
  };

const complained =
  (_: Story, { merchant_id, order_no }: KnownOrder) =>
  ({ payments }: Deps) =>
    payments.db.transaction((tx) => openComplaint(payments, tx, merchant_id, order_no, 'never arrived'));

const complaintDecided = (story: Story) => {
  const decision = story.world.random.pick(['dismiss', 'confirm'] as const);
  return async ({ payments }: Deps): Promise<void> => {
    const [open] = await payments.db.query<{ complaint_id: string }>(
      sql`SELECT complaint_id FROM payment_complaints WHERE status = 'open' ORDER BY complaint_id LIMIT 1`,
    );
    if (open === undefined) return;
    await payments.db.transaction((tx) => decideComplaint(payments, tx, open.complaint_id, { decision }));
  };
};

const caseActions: readonly [CaseAction, ...CaseAction[]] = ['accept', 'refund', 'void', 'absent', 'close'];

/** Resolves a case as the administration does: what the decision depends on is asked first, its refund pursued after. */
async function resolve({ payments }: Deps, case_id: string, action: CaseAction): Promise<void> {
  await prepareResolution(payments, case_id, action);
  const { after } = await payments.db.transaction((tx) =>
    resolveCase(payments, tx, case_id, { action, reason: 'so it was decided' }),
  );
  await pursueCase(payments, after);
}

const openCases = ({ payments }: Deps): Promise<{ case_id: string }[]> =>
  payments.db.query(sql`SELECT case_id FROM payment_cases WHERE state = 'open' ORDER BY case_id`);

const caseResolved = (story: Story) => {
  const action = story.world.random.pick(caseActions);
  return async (deps: Deps): Promise<void> => {
    const [first] = await openCases(deps);
    if (first !== undefined) await resolve(deps, first.case_id, action);
  };
};

/** The operator works through what is left, by whatever is possible. */
async function resolveAll(deps: Deps): Promise<void> {
  for (const { case_id } of await openCases(deps)) {
    for (const action of caseActions) {
      await resolve(deps, case_id, action).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    }
  }
}

interface Session {
  id: string;
  status: string;
  payment_status: string;
}

/** A call of the provider's other side: what buyers do there. What it refuses did not happen. */
async function sim(story: Story, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${story.world.cardsim.url}/_sim${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return answer.json();
}

const itemsOf = async <T>(story: Story, path: string): Promise<T[]> =>
  ((await sim(story, 'GET', path)) as { items: T[] }).items;

/** What a buyer may pay instead of what was asked: too little, too much, or in other money. */
const wrong: readonly [object, ...object[]] = [
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
      const instead = how.wrong ? story.world.random.pick(wrong) : {};
      await sim(story, 'POST', `/sessions/${session.id}/pay`, { async, webhook: 'none', ...instead });
      return true;
    },
  });

/** The provider has two sessions for one attempt, which it should not, and a buyer pays the other. */
const paidTwice = (story: Story): Begun => ({
  outside: async () => {
    const { db, cardsim } = story.world;
    const attempts = await db.query<Twin>(
      sql`SELECT attempt_id, order_no, merchant_id, payment_no, amount, currency FROM payment_attempts
        WHERE provider = 'cardprov' ORDER BY attempt_id DESC LIMIT 3`,
    );
    const twin = anyOf(story, attempts);
    if (twin === null) return false;
    const answer = await fetch(`${cardsim.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk_live_${twin.payment_no}` },
      body: new URLSearchParams({
        mode: 'payment',
        client_reference_id: twin.attempt_id,
        'metadata[order_no]': twin.order_no,
        'metadata[merchant_id]': twin.merchant_id,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': twin.currency.toLowerCase(),
        'line_items[0][price_data][unit_amount]': twin.amount.toString(),
        'line_items[0][price_data][product_data][name]': 'Twin',
        success_url: 'https://shop.example/',
        cancel_url: 'https://shop.example/',
      }),
      // Where the provider is to fail just now it fails here as well: no answer, or none that can be read.
    }).catch(() => null);
    const { id } = ((await answer?.json().catch(() => null)) ?? {}) as { id?: string };
    if (id === undefined) return false;
    await sim(story, 'POST', `/sessions/${id}/pay`, { webhook: 'none' });
    return true;
  },
});

interface Twin extends Row {
  attempt_id: string;
  order_no: string;
  merchant_id: string;
  payment_no: string;
  amount: bigint;
  currency: string;
}

/** A buyer goes to the bank, or the bank decides; it may also be the first that anybody hears of it. */
const disputed = (story: Story): Begun => ({
  outside: async () => {
    const paid = (await itemsOf<Session>(story, '/sessions')).filter((one) => one.payment_status === 'paid');
    const session = anyOf(story, paid.slice(-3));
    if (session === null) return false;
    const outcome = story.world.random.pick([null, 'lost', 'won'] as const);
    await sim(story, 'POST', `/sessions/${session.id}/dispute`, outcome === null ? {} : { outcome });
    if (outcome === null) story.disputed.push(session.id);
    return true;
  },
});

async function settleAsync(story: Story, outcome: () => string): Promise<boolean> {
  const sessions = await itemsOf<Session>(story, '/sessions');
  const slow = sessions.filter(
    ({ status, payment_status }) => status === 'complete' && payment_status === 'unpaid',
  );
  for (const { id } of slow) await sim(story, 'POST', `/sessions/${id}/settle-async`, { outcome: outcome() });
  return slow.length > 0;
}

/** Any of the last events, once more or for the first time: webhooks come late, twice and in any order. */
async function webhook(story: Story, deps: Deps): Promise<void> {
  const events = await itemsOf<object>(story, '/events');
  const event = anyOf(story, events.slice(-5));
  if (event === null) return;
  await receive(story, deps, event);
  await processCardWebhooks(deps.payments);
}

/** Which account an event is from the simulator does not tell: every channel is told, and knows what is not its own. */
async function receive({ world }: Story, { payments }: Deps, event: object): Promise<void> {
  const body = JSON.stringify(event);
  const signature = signatureHeader(body, webhook_secret, Math.floor(Date.now() / 1_000));
  for (const { webhook_key } of world.channels) {
    if (webhook_key !== null) await receiveCardWebhook(payments, webhook_key, Buffer.from(body), signature);
  }
}

const faults: readonly [object, ...object[]] = [
  { endpoint: 'sessions.create', mode: 'status', status: 500 },
  { endpoint: 'sessions.create', mode: 'status', status: 400 },
  { endpoint: 'sessions.create', mode: 'status', status: 429 },
  { endpoint: 'sessions.create', mode: 'amount', amount_total: 5 },
  { endpoint: 'sessions.create', mode: 'currency', currency: 'eur' },
  { endpoint: 'sessions.create', mode: 'reset_after' },
  { endpoint: 'sessions.create', mode: 'truncate' },
  { endpoint: 'sessions.retrieve', mode: 'status', status: 500 },
  { endpoint: 'refunds.create', mode: 'reset_after' },
  { endpoint: 'refunds.create', mode: 'status', status: 500 },
  { endpoint: 'sessions.list', mode: 'status', status: 500 },
  { endpoint: 'sessions.expire', mode: 'reset_after' },
  { endpoint: 'sessions.expire', mode: 'status', status: 500 },
];

const ptk = (story: Story): bigint =>
  BigInt(story.world.random.pick([1, 5_000_000, 5_000_000, 1_000_000_000, 90_000_000_000]));

const shopOf = (story: Story): Shop => story.world.random.pick(story.world.shops);

function wallet(work: (story: Story, shop: Shop) => (deps: Deps) => Promise<unknown>) {
  return (story: Story): Begun => actor(work(story, shopOf(story)));
}

const requested = (story: Story, { merchant_id }: Shop) => {
  const { clock, ids } = story.world;
  const amount_ptk = ptk(story);
  const name = reference(story);
  return ({ payments: { db } }: Deps) =>
    db.transaction((tx) =>
      requestWithdrawal(tx, {
        merchant_id,
        withdrawal_id: `wd_${ids.ulid(clock.now())}`,
        reference: name,
        amount_ptk,
        payout_currency: 'USD',
        payout_decimals: 2,
        payout_amount: 100n,
        status: 'pending',
        requested_at: clock.now(),
        decided_at: null,
      }),
    );
};

const decided = (story: Story) => {
  const decision = story.world.random.pick(['paid', 'reject'] as const);
  return async ({ payments: { db, clock } }: Deps): Promise<void> => {
    const [first] = await listWithdrawals(db, { status: 'pending', before: null, limit: 1 });
    if (first === undefined) return;
    await db.transaction((tx) => decideWithdrawal(tx, first.withdrawal_id, decision, clock.now()));
  };
};

const guarantee = (story: Story, { merchant_id }: Shop) => {
  const operation = { merchant_id, amount_ptk: ptk(story), reference: reference(story) };
  const entry = story.world.random.pick([
    guaranteeDeposit(operation, { paid: null }),
    guaranteeDeposit(operation, 'available'),
    guaranteeReturn(operation),
  ]);
  return ({ payments: { db, clock } }: Deps) => db.transaction((tx) => postOnce(tx, entry, clock.now()));
};

const toppedUp = (story: Story, { merchant_id }: Shop) => {
  const to = story.world.random.pick([
    { merchant_id },
    { user_id: story.world.random.pick(story.world.buyers) },
  ]);
  const request = { to, amount_ptk: ptk(story), reference: reference(story), paid: null };
  return ({ payments: { db, clock } }: Deps) => db.transaction((tx) => topUp(tx, request, clock.now()));
};

/** Everything that can happen. */
export const moves: readonly [Move, ...Move[]] = [
  { name: 'create', weight: 4, begin: beginCreation },
  {
    name: 'read',
    weight: 1,
    begin(story) {
      const order = anyOf(story, story.orders);
      if (order === null) return null;
      return actor(({ orders }) => readOrder(orders, order.merchant_id, order.order_no));
    },
  },
  { name: 'pay with PTK', weight: 4, begin: beginStart('ptk') },
  { name: 'start by card', weight: 8, begin: beginStart('cardprov') },
  { name: 'the buyer pays', weight: 8, begin: buyerPays({ async: false, wrong: false }) },
  { name: 'the buyer pays slowly', weight: 2, begin: buyerPays({ async: true, wrong: false }) },
  { name: 'the buyer pays something else', weight: 1, begin: buyerPays({ async: false, wrong: true }) },
  {
    name: 'slow payments end',
    weight: 1,
    begin: (story) => ({
      outside: () => settleAsync(story, () => story.world.random.pick(['succeeded', 'failed'])),
    }),
  },
  { name: 'a twin of a session is paid', weight: 1, begin: paidTwice },
  { name: 'webhook', weight: 4, begin: (story) => actor((deps) => webhook(story, deps)) },
  { name: 'reconcile', weight: 3, begin: () => actor(({ payments }) => reconcileDue(payments)) },
  { name: 'sweep', weight: 2, begin: () => actor(({ orders }) => sweepOverdue(orders)) },
  { name: 'release holds', weight: 3, begin: () => actor(({ payments }) => releaseDueHolds(payments)) },
  { name: 'refund', weight: 2, begin: onOrder(refunded) },
  { name: 'pursue refunds', weight: 1, begin: () => actor(({ payments }) => pursueDueRefunds(payments)) },
  { name: 'complaint', weight: 2, begin: onOrder(complained) },
  { name: 'decide a complaint', weight: 2, begin: wallet(complaintDecided) },
  { name: 'resolve a case', weight: 2, begin: wallet(caseResolved) },
  { name: 'pursue cases', weight: 1, begin: () => actor(({ payments }) => pursueDueCases(payments)) },
  { name: 'dispute', weight: 2, begin: disputed },
  { name: 'follow disputes', weight: 1, begin: () => actor(({ payments }) => followDueDisputes(payments)) },
  { name: 'top up', weight: 2, begin: wallet(toppedUp) },
  { name: 'guarantee', weight: 1, begin: wallet(guarantee) },
  { name: 'ask for a withdrawal', weight: 2, begin: wallet(requested) },
  { name: 'decide a withdrawal', weight: 2, begin: wallet(decided) },
  {
    name: 'the provider fails',
    weight: 3,
    begin: (story) => {
      const fault = story.world.random.pick(faults);
      return {
        outside: async () => {
          await sim(story, 'POST', '/faults', fault);
          return true;
        },
      };
    },
  },
  {
    name: 'time passes',
    weight: 3,
    begin: (story) => {
      const seconds = story.world.random.pick([1, 13, 13, 61, 61, 599, 1_900, 7_201, 90_000]);
      return {
        outside: () => {
          story.world.clock.advance(seconds);
          return Promise.resolve(true);
        },
      };
    },
  },
];

/** Lets everything that is still under way come to its end, as a platform left alone for two weeks would. */
export async function settleDown(story: Story): Promise<void> {
  const { world } = story;
  const deps = world.deps(null);
  await sim(story, 'DELETE', '/faults');
  for (const id of story.disputed) {
    const outcome = world.random.pick(['lost', 'won']);
    await sim(story, 'POST', `/sessions/${id}/dispute`, { outcome });
  }
  // The provider repeats each event until it is acknowledged: in the end all have come, in whatever order.
  const events = await itemsOf<object>(story, '/events');
  while (events.length > 0) {
    const [event] = events.splice(world.random.between(0, events.length - 1), 1);
    if (event !== undefined) await receive(story, deps, event);
  }
  for (const [rounds, seconds] of [
    [8, 70],
    [3, 3_700],
    [3, 86_400],
  ] as const) {
    for (let i = 0; i < rounds; i++) {
      await settleAsync(story, () => world.random.pick(['succeeded', 'failed']));
      await sweepOverdue(deps.orders);
      await processCardWebhooks(deps.payments);
      await reconcileDue(deps.payments);
      await pursueDueRefunds(deps.payments);
      await followDueDisputes(deps.payments);
      await pursueDueCases(deps.payments);
      await resolveAll(deps);
      await releaseDueHolds(deps.payments);
      world.clock.advance(seconds);
    }
  }
}
