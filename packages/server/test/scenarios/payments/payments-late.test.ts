import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hours, later, minutes, seconds } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import type { CardProvider } from '../../../src/channels/card/card-provider.ts';
import type { CardSession, SessionCreation } from '../../../src/channels/card/card-sessions.ts';
import type { Lookup } from '../../../src/channels/card/card-client.ts';
import { createChannel } from '../../../src/channels/save-channel.ts';
import { sendDueBuyerMail } from '../../../src/checkout/mails/send-buyer-mail.ts';
import { readOrderState } from '../../../src/checkout/state/read-checkout.ts';
import { sweepOverdue } from '../../../src/collection/orders/expire-order.ts';
import type { CollectionOrder } from '../../../src/collection/orders/order.ts';
import { insertOrder, selectOrder } from '../../../src/collection/orders/order.sql.ts';
import { collectionKind, payableOrder } from '../../../src/collection/orders/payable-order.ts';
import { insertBuyerMail } from '../../../src/identity/mail/buyer-mail.sql.ts';
import { readMerchantBalances, readUserBalance } from '../../../src/ledger/books/read-balances.ts';
import { topUp } from '../../../src/ledger/wallets/top-up.ts';
import { verifyLedger } from '../../../src/ledger/verification/verify.ts';
import type { Merchant } from '../../../src/merchants/merchant.ts';
import { selectMerchant } from '../../../src/merchants/merchant.sql.ts';
import { createMerchant } from '../../../src/merchants/save-merchant.ts';
import type { Attempt } from '../../../src/payments/attempts/attempt.ts';
import type { PaymentDeps } from '../../../src/payments/engine/deps.ts';
import { insertQuotes } from '../../../src/payments/quotes/quote.sql.ts';
import { selectAttempts } from '../../../src/payments/attempts/attempt.sql.ts';
import { beginDueChecks, checkDueAttempts } from '../../../src/payments/card/check-due-attempts.ts';
import { createChannelSlots } from '../../../src/payments/engine/channel-slots.ts';
import { readUnclearChannels } from '../../../src/payments/backlog/index.ts';
import { settleDispute } from '../../../src/payments/disputes/settle-dispute.ts';
import { followDueDisputes } from '../../../src/payments/following/follow-dispute.ts';
import { settle } from '../../../src/payments/settling/settle.ts';
import { readMethod } from '../../../src/payments/starting/pay-from-snapshot.ts';
import { startPayment } from '../../../src/payments/starting/start-payment.ts';
import { type StartResult } from '../../../src/payments/starting/start-result.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import {
  buyer_id,
  deadline,
  merchant_id,
  owner_id,
  sampleChannel,
  sampleMerchant,
  sampleOrder,
  samplePtkChannel,
  sampleQuote,
  sampleSession,
  t0,
} from '../../support/desks/samples.ts';

let now = t0;
const clock = { now: () => now, real: () => now };
const ids = systemIds();
const collection = collectionKind(ids);
/** The warnings, as they are written. */
const warnings: Record<string, unknown>[] = [];
const log = pino(
  { level: 'warn' },
  { write: (line) => warnings.push(JSON.parse(line) as Record<string, unknown>) },
);

let database: TestDatabase;
let db: Database;
let order: CollectionOrder;

/** The card provider as scripted by a test: its answers, and when they arrive. */
const provider = {
  create: (_: string): SessionCreation | Promise<SessionCreation> => ({ kind: 'unclear', reason: 'timeout' }),
  find: (): Lookup<CardSession> => ({ kind: 'none' }),
};

const notAsked = (): never => {
  throw new Error('these tests ask for no such thing');
};

const cards: CardProvider = {
  createSession: (_, { attempt_id }) => Promise.resolve(provider.create(attempt_id)),
  session: () => Promise.resolve(provider.find()),
  findSession: () => Promise.resolve(provider.find()),
  sessionOfPayment: notAsked,
  expireSession: () => Promise.resolve('refused'),
  payment: () =>
    Promise.resolve({
      kind: 'found',
      value: { state: 'succeeded', paid_at: t0.getTime() / 1_000, paid_with: null, declined: null },
    }),
  checkKey: () => undefined,
  verifyWebhook: () => Promise.reject(new Error('none comes')),
  refund: notAsked,
  refundById: notAsked,
  refundsOf: notAsked,
  dispute: notAsked,
  disputesOf: notAsked,
  uploadEvidence: notAsked,
  submitEvidence: notAsked,
  sessionsIn: notAsked,
  refundsIn: notAsked,
  disputesIn: notAsked,
  eventsIn: notAsked,
};

const channel = sampleChannel();
const box = secretBox([Buffer.alloc(32, 1)]);

function deps(): PaymentDeps {
  return {
    db,
    clock,
    ids,
    log,
    box,
    channels: {
      of: () => Promise.resolve([channel]),
      find: () => Promise.resolve(channel),
      byWebhookKey: () => Promise.resolve(null),
    },
    cards,
    kindOf: () => collection,
    public_url: 'https://pay.example',
    lease_ms: seconds(12),
    wait_ms: 0,
  };
}

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 4 });
  await db.transaction(async (tx) => {
    await createMerchant(tx, merchant_id, { name: 'Books', owner_user_id: owner_id }, t0);
    await createChannel(tx, channel);
    await createChannel(tx, samplePtkChannel());
    const to = { user_id: buyer_id };
    await topUp(tx, { to, amount_ptk: 10n ** 12n, reference: 'start', paid: null }, t0);
  });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

beforeEach(async () => {
  now = t0;
  provider.create = () => ({ kind: 'unclear', reason: 'timeout' });
  provider.find = () => ({ kind: 'none' });
  const order_no = `mp_${ids.ulid(t0)}`;
  order = sampleOrder({ order_no, idempotency_key: order_no, token_key_id: box.inner_key_id });
  const ptk = { payment_no: 'ch_ptk', provider: 'ptk', currency: 'PTK', currency_decimals: 8 } as const;
  const free = { subtotal: 10_000_000_000n, buyer_fee: 0n, merchant_fee: 0n, merchant_fee_ptk: 0n };
  await db.writeOnce([
    insertOrder(order),
    insertQuotes(merchant_id, order_no, [
      sampleQuote(),
      sampleQuote({ method_id: 'pm_ptk', ...ptk, ...free }),
    ]),
  ]);
});

const start = (method_id: string): Promise<StartResult> =>
  startPayment(deps(), { merchant_id, order_no: order.order_no, method_id, user_id: buyer_id });

const attempts = (): Promise<Attempt[]> => selectAttempts(db, merchant_id, order.order_no);

async function orderNow(): Promise<CollectionOrder> {
  const row = await selectOrder(db, merchant_id, order.order_no);
  if (row === null) throw new Error('no order');
  return row;
}

/** Status, version and method as the merchant would read them. */
async function shown(): Promise<unknown[]> {
  const { status, status_version, payment_no, fee_status } = await orderNow();
  return [status, status_version, payment_no, fee_status];
}

const sweep = () => sweepOverdue({ db, clock, ids, log });

const refused: SessionCreation = { kind: 'refused', reason: 'StripeInvalidRequestError 400' };

const sessionOf = (attempt_id: string, change: Partial<CardSession> = {}): CardSession =>
  sampleSession({
    id: `cs_${attempt_id}`,
    reference: attempt_id,
    order_no: order.order_no,
    payment_id: `pi_${attempt_id}`,
    ...change,
  });

const paidFor = (attempt_id: string) => ({
  kind: 'paid' as const,
  session: sessionOf(attempt_id, { status: 'complete', paid: true }),
  trade_no: `pi_${attempt_id}`,
  occurred_at: t0,
});

async function onlyAttempt(): Promise<Attempt> {
  const [attempt] = await attempts();
  if (attempt === undefined) throw new Error('no attempt');
  return attempt;
}

describe('R-203 the definite refusal of the first creation', () => {
  test('unbinds the method; PTK and the same card can be chosen after it', async () => {
    provider.create = () => refused;
    await expect(start('pm_card')).rejects.toMatchObject({ code: 'provider_checkout_rejected' });
    expect(await shown()).toEqual(['pending', 1, '', 'unselected']);
    await expect(start('pm_card')).rejects.toMatchObject({ code: 'provider_checkout_rejected' });

    const before = await readUserBalance(db, buyer_id);
    expect(await start('pm_ptk')).toEqual({ kind: 'paid' });
    expect(await shown()).toEqual(['paid', 2, 'ch_ptk', 'quoted']);
    expect(before - (await readUserBalance(db, buyer_id))).toBe(10_000_000_000n);
    expect((await attempts()).map(({ seq, provider, state }) => [seq, provider, state])).toEqual([
      [3, 'ptk', 'paid'],
      [2, 'cardprov', 'rejected'],
      [1, 'cardprov', 'rejected'],
    ]);
  });

  test('D-090 that arrives after the deadline leaves the order expired, never in review', async () => {
    provider.create = () => {
      now = later(deadline, seconds(1));
      return refused;
    };
    now = later(deadline, -seconds(1));
    await expect(start('pm_card')).rejects.toMatchObject({ code: 'provider_checkout_rejected' });
    expect(await shown()).toEqual(['expired', 2, '', 'unselected']);
  });

  test('R-140 that arrives after the sweep had put the order in review expires it', async () => {
    provider.create = async () => {
      now = later(deadline, seconds(1));
      await sweep();
      expect(await shown()).toEqual(['review', 2, 'ch_card', 'quoted']);
      return refused;
    };
    now = later(deadline, -seconds(1));
    await expect(start('pm_card')).rejects.toMatchObject({ code: 'provider_checkout_rejected' });
    expect(await shown()).toEqual(['expired', 3, '', 'unselected']);
  });
});

describe('a payment through an attempt that was thought refused', () => {
  test('R-186 D-108 is settled, beside another attempt that is open', async () => {
    provider.create = () => refused;
    await expect(start('pm_card')).rejects.toThrow();
    const first = await onlyAttempt();
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id) });
    expect(await start('pm_card')).toMatchObject({ kind: 'redirect' });

    expect((await settle(deps(), first, paidFor(first.attempt_id))).state).toBe('paid_late');
    expect(await shown()).toEqual(['paid', 2, 'ch_card', 'quoted']);
    expect((await attempts()).map(({ state }) => state)).toEqual(['open', 'paid_late']);
  });

  test('a webhook that finds nothing there does not expire an order whose other attempt is open', async () => {
    provider.create = () => refused;
    await expect(start('pm_card')).rejects.toThrow();
    const first = await onlyAttempt();
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id) });
    await start('pm_card');
    now = later(deadline, seconds(1));
    await sweep();
    await settle(deps(), first, { kind: 'none' });
    expect(await shown()).toEqual(['review', 2, 'ch_card', 'quoted']);
  });
});

test('D-1372 a provider that stays unclear is an alarm after five minutes, while workers ask it again', async () => {
  expect(await start('pm_card')).toEqual({ kind: 'pending' });
  for (let minute = 1; minute < 5; minute++) {
    now = later(t0, minutes(minute));
    await checkDueAttempts(deps());
    expect(await readUnclearChannels(db, now)).toEqual([]);
  }
  now = later(t0, minutes(5));
  expect(await readUnclearChannels(db, now)).toMatchObject([{ payment_no: 'ch_card', since: t0 }]);
});

test.each([
  [refused, 'the card provider refused the session of a payment'],
  [{ kind: 'unclear', reason: 'ECONNREFUSED' }, 'the card provider gave no clear answer about a session'],
] as const)('D-990 the log says why a payment got no session: %j', async (answer, msg) => {
  provider.create = () => answer;
  await start('pm_card').catch(() => undefined);
  const { attempt_id, order_no } = await onlyAttempt();
  const why = answer.reason;
  expect(warnings.at(-1)).toMatchObject({ msg, why, payment_no: 'ch_card', attempt_id, order_no });
});

describe('answers that come late', () => {
  test('R-229 an unclear answer to a creation does not undo the result of a webhook', async () => {
    provider.create = async (attempt_id) => {
      const session = sessionOf(attempt_id, { status: 'complete' });
      await settle(deps(), await onlyAttempt(), { kind: 'processing', session });
      return { kind: 'unclear', reason: 'timeout' };
    };
    expect(await start('pm_card')).toEqual({ kind: 'pending' });
    expect((await onlyAttempt()).state).toBe('processing');
  });

  test('R-228 the same payment seen twice is posted once', async () => {
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id) });
    await start('pm_card');
    const attempt = await onlyAttempt();
    const held = async () => (await readMerchantBalances(db, merchant_id)).held_ptk;
    const before = await held();
    await Promise.all([1, 2, 3].map(() => settle(deps(), attempt, paidFor(attempt.attempt_id))));
    expect(await shown()).toEqual(['paid', 2, 'ch_card', 'quoted']);
    expect((await held()) - before).toBe(9_740_000_000n);
  });

  test('R-186 a payment after the order has expired', async () => {
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id) });
    await start('pm_card');
    const attempt = await onlyAttempt();
    provider.find = () => ({ kind: 'found', value: sessionOf(attempt.attempt_id, { status: 'expired' }) });
    now = later(deadline, seconds(1));
    await sweep();
    expect(await shown()).toEqual(['review', 2, 'ch_card', 'quoted']);
    await checkDueAttempts(deps());
    expect(await shown()).toEqual(['expired', 3, 'ch_card', 'quoted']);

    const session = sessionOf(attempt.attempt_id, { status: 'complete', paid: true });
    provider.find = () => ({ kind: 'found', value: session });
    now = later(now, minutes(1));
    await checkDueAttempts(deps());
    expect(await shown()).toEqual(['paid', 4, 'ch_card', 'quoted']);
    expect((await onlyAttempt()).state).toBe('paid_late');
  });
});

describe('a creation that was never answered', () => {
  test('R-184 D-093 is asked for again before the deadline, looked up after it, and absent on the second clean look', async () => {
    const asked: string[] = [];
    provider.create = (attempt_id) => {
      asked.push(attempt_id);
      return { kind: 'unclear', reason: 'timeout' };
    };
    expect(await start('pm_card')).toEqual({ kind: 'pending' });
    now = later(now, minutes(1));
    await checkDueAttempts(deps());
    expect(new Set(asked).size).toBe(1);
    expect(asked).toHaveLength(2);

    now = later(deadline, seconds(5));
    await sweep();
    await checkDueAttempts(deps());
    expect(await shown()).toEqual(['review', 2, 'ch_card', 'quoted']);
    now = later(now, minutes(1));
    await checkDueAttempts(deps());
    expect(asked).toHaveLength(2);
    expect((await onlyAttempt()).state).toBe('absent');
    expect(await shown()).toEqual(['expired', 3, 'ch_card', 'quoted']);
  });

  test('R-201 a worker takes nothing from a buyer whose retry is under way', async () => {
    await start('pm_card');
    const claimed = await onlyAttempt();
    now = later(now, minutes(2));
    await db.query(sql`UPDATE payment_attempts SET lease_until = ${later(now, seconds(5))}
      WHERE merchant_id = ${merchant_id} AND attempt_id = ${claimed.attempt_id}`);
    provider.create = () => {
      throw new Error('asked twice');
    };
    await checkDueAttempts(deps());
    expect(await onlyAttempt()).toMatchObject({ state: 'unknown', lease_until: later(now, seconds(5)) });
  });
});

test('D-1152 of two paid attempts, the dispute is looked up on the channel, and the mail is about the payment, that settled the order', async () => {
  const other = sampleQuote({ method_id: 'pm_other', payment_no: 'ch_other', buyer_fee: 90n });
  await db.transaction((tx) =>
    createChannel(tx, sampleChannel({ payment_no: 'ch_other', webhook_key: 'wk_other' })),
  );
  await db.writeOnce([insertQuotes(merchant_id, order.order_no, [other])]);
  provider.create = () => refused;
  await expect(start('pm_card')).rejects.toThrow();
  const first = await onlyAttempt();
  provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id, { amount: 1_090n }) });
  await start('pm_other');
  await settle(deps(), first, paidFor(first.attempt_id));
  const [second] = await attempts();
  if (second === undefined) throw new Error('no second attempt');
  await settle(deps(), second, paidFor(second.attempt_id));
  expect((await attempts()).map(({ state, amount }) => [state, amount])).toEqual([
    ['paid', 1_090n],
    ['paid_late', 1_060n],
  ]);

  const open = { id: 'du_1', status: 'open', amount: 1_060n, currency: 'USD' } as const;
  const dispute = { ...open, payment_id: `pi_${first.attempt_id}`, also_open: () => Promise.resolve([]) };
  await settleDispute(deps(), first, dispute);
  now = later(now, hours(7));
  const asked: string[] = [];
  const providers: Partial<PaymentDeps> = {
    channels: { ...deps().channels, find: (payment_no) => Promise.resolve(sampleChannel({ payment_no })) },
    cards: {
      ...cards,
      dispute: ({ payment_no }, id) => {
        asked.push(`${payment_no} ${id}`);
        return Promise.resolve({ kind: 'none' });
      },
    },
  };
  await followDueDisputes({ ...deps(), ...providers });
  expect(asked).toEqual(['ch_card du_1']);

  const { public_url } = deps();
  const mail_id = `bm_${order.order_no}`;
  const queued = insertBuyerMail({
    ...{ mail_id, merchant_id, order_no: order.order_no, kind: 'receipt', locale: 'en', tries: 0 },
    address_box: box.seal('bo@people.test', sealed.buyerMailAddress.row({ mail_id })),
    ...{ created_at: now, due_at: now },
  });
  await db.transaction((tx) => tx.write([queued]));
  const sent: string[] = [];
  const mailer = {
    send: ({ text }: { text: string }) => {
      sent.push(text);
      return Promise.resolve();
    },
    stop: () => undefined,
  };
  const findMerchant = (): Promise<Merchant> => Promise.resolve(sampleMerchant());
  await sendDueBuyerMail({ db, clock, ids, log, mailer, box, public_url, findMerchant });
  expect(sent).toEqual([expect.stringMatching(/^You paid USD\s10\.60 to/)]);
});

test('D-1150 a channel without free slots checks next what has been due the longest, of whichever merchant', async () => {
  const checked: string[] = [];
  const other = '0190c1a0-0000-7000-8000-00000000000f';
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow: PaymentDeps['cards'] = {
    ...cards,
    session: async (_, session_id) => {
      checked.push(session_id);
      await answered;
      return { kind: 'failed', reason: 'timeout' };
    },
  };
  await db.transaction((tx) => createMerchant(tx, other, { name: 'Later', owner_user_id: owner_id }, t0));
  await db.query(sql`UPDATE payment_attempts SET check_at = NULL`);
  const begin = async (of: string): Promise<string> => {
    const order_no = `mp_${ids.ulid(t0)}`;
    const begun = sampleOrder({ merchant_id: of, order_no, idempotency_key: order_no });
    await db.writeOnce([insertOrder(begun), insertQuotes(of, order_no, [sampleQuote()])]);
    const session = { order_no };
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id, session) });
    await startPayment(deps(), { merchant_id: of, order_no, method_id: 'pm_card', user_id: null });
    return `cs_${(await selectAttempts(db, of, order_no))[0]?.attempt_id ?? ''}`;
  };
  const oldest = await begin(other);
  now = later(t0, seconds(1));
  // Of a merchant that was there before, more than one slot takes.
  for (let i = 0; i < 3; i++) await begin(merchant_id);
  now = later(t0, minutes(10));
  const slots = createChannelSlots(undefined, 1);
  await beginDueChecks({ ...deps(), cards: slow }, slots);
  answer();
  await slots.idle();
  expect(checked).toEqual([oldest]);
});

test('D-353 a page that reads the order before a payment commits, and its attempts after it, shows it as paid', async () => {
  const seen = await orderNow();
  await start('pm_ptk');
  const page = {
    ...{ ...deps(), logoUrl: () => Promise.resolve(null) },
    findMerchant: (id: string) => selectMerchant(db, id),
  };
  const state = await readOrderState(page, seen, null, 'en');
  expect(state).toMatchObject({ status: 'paid', attempt: { state: 'paid' } });
});

describe('a wallet payment that was decided on outdated data', () => {
  /** Reads the order; the test decides what happens before it is paid. */
  async function seenNow() {
    const of = { merchant_id, order_no: order.order_no, method_id: 'pm_ptk' };
    const seen = { order: payableOrder(await orderNow()), method: await readMethod({ db }, of) };
    return () => startPayment(deps(), { ...of, user_id: buyer_id }, seen);
  }
  const spent = async (before: bigint): Promise<bigint> => before - (await readUserBalance(db, buyer_id));
  const openByCard = async (): Promise<void> => {
    provider.create = (attempt_id) => ({ kind: 'created', session: sessionOf(attempt_id) });
    await start('pm_card');
  };
  const refusedByCard = async (): Promise<void> => {
    provider.create = () => refused;
    await start('pm_card').catch(() => undefined);
  };
  /** By a process whose clock is ahead of this one's. */
  const swept = async (): Promise<void> => {
    const before = now;
    now = later(deadline, seconds(1));
    await sweep();
    now = before;
  };

  test('R-182 R-216 of many that saw the same, one pays', async () => {
    const before = await readUserBalance(db, buyer_id);
    const pay = await seenNow();
    const ends = await Promise.allSettled([pay(), pay(), pay(), pay()]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) {
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'payment_conflict' });
    }
    expect(await shown()).toEqual(['paid', 2, 'ch_ptk', 'quoted']);
    expect(await spent(before)).toBe(10_000_000_000n);
  });

  test.each([
    [
      'R-182 a payment from the wallet',
      () => start('pm_ptk'),
      'payment_conflict',
      ['paid', 2],
      10_000_000_000n,
    ],
    ['R-200 R-216 a payment by card', openByCard, 'payment_conflict', ['pending', 1], 0n],
    ['R-177 R-178 the sweep of another process', swept, 'payment_expired', ['expired', 2], 0n],
    ['R-203 a card that was refused', refusedByCard, null, ['paid', 2], 10_000_000_000n],
  ] as const)('%s that came in between', async (_, comesBetween, code, state, cost) => {
    const before = await readUserBalance(db, buyer_id);
    const pay = await seenNow();
    await comesBetween();
    if (code === null) expect(await pay()).toEqual({ kind: 'paid' });
    else await expect(pay()).rejects.toMatchObject({ code });
    expect((await shown()).slice(0, 2)).toEqual(state);
    expect(await spent(before)).toBe(cost);
  });

  test('R-177 a deadline that passed meanwhile ends the order', async () => {
    const pay = await seenNow();
    now = later(deadline, seconds(1));
    await expect(pay()).rejects.toMatchObject({ code: 'payment_expired' });
    expect((await shown()).slice(0, 2)).toEqual(['expired', 2]);
  });

  test('R-215 D-125 a wallet that was emptied since leaves nothing behind', async () => {
    const pay = await seenNow();
    const before = await readUserBalance(db, buyer_id);
    const setBalance = (amount: bigint) =>
      db.query(sql`UPDATE user_wallets SET available_ptk = ${amount} WHERE user_id = ${buyer_id}`);
    await setBalance(9_999_999_999n);
    try {
      await expect(pay()).rejects.toMatchObject({ code: 'insufficient_balance' });
      expect([await shown(), await attempts()]).toEqual([['pending', 1, '', 'unselected'], []]);
    } finally {
      await setBalance(before);
    }
  });
});

test('R-143 R-145 and the books balance after all of this', async () => {
  const { ok, imbalances, drift, entries } = await verifyLedger(db);
  expect({ ok, imbalances, drift }).toEqual({ ok: true, imbalances: [], drift: [] });
  expect(entries).toBeGreaterThan(3n);
});
