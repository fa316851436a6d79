import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { sql } from '../../../src/base/pg/index.ts';
import type { ListedSession } from '../../../src/channels/card/index.ts';
import type { Channel } from '../../../src/channels/index.ts';
import {
  type Reconciliation,
  reconcileWhenDue,
  selectReconciliations,
} from '../../../src/payments/reconciliation/index.ts';
import { compareRefund } from '../../../src/payments/reconciliation/compare-refund.ts';
import {
  reconcileChannel,
  type ReconciliationRequest,
} from '../../../src/payments/reconciliation/reconcile-channel.ts';
import {
  caseOf,
  passTime,
  pay,
  receivedWrongly,
  resolve,
  sessionOf,
  startedCard,
  strangeSession,
  type Case,
  withProvider,
  refuseNextRefund,
} from '../../support/desks/cases.ts';
import {
  type CardPaid,
  day_s,
  type LossDesk,
  openLossDesk,
  openShop,
  type Shop,
} from '../../support/desks/losses.ts';
import { addCardChannel } from '../../support/desks/platform.ts';
import { sampleSession } from '../../support/desks/samples.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
afterEach(() => desk.sim('DELETE', '/faults'));

/** Runs a command as a process would, and returns its exit code and its output. */
async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line: unknown) => void lines.push(String(line))),
  );
  const code = await runCommand(args, {
    DATABASE_URL: desk.service.database.url,
    PAYDESK_SECRET_KEY: desk.service.secret_key.toString('base64'),
    PAYDESK_TEST_CLOCK: '1',
  });
  for (const spy of spies) spy.mockRestore();
  return { code, out: lines.join('\n') };
}

const alarms = async (): Promise<string[]> => {
  const { alarms: all } = await desk.service.admin<{ alarms: { alarm: string }[] }>('GET', '/overview');
  return all.map(({ alarm }) => alarm);
};

describe('D-103 paydesk reconcile-provider', () => {
  test('finds nothing where every payment and refund is known on both sides', async () => {
    const { order } = await shop.byCard();
    const refunded = await shop.byCard();
    await shop.refund(refunded.order);
    await shop.until(refunded.order, 'refunded');
    const { code, out } = await run('reconcile-provider', '--since', '1h');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/2 payments and \d+ events at the provider, nothing differs\.$/),
    ]);
    expect(out).not.toContain(order.order_no);
    expect(await alarms()).not.toContain('provider_differs');
  });

  test('lists a payment that the books do not have, keeps the result and raises an alarm until it is adopted', async () => {
    const order = await shop.unpaid();
    const { merchant_no } = shop;
    const session = await strangeSession(desk, {
      client_reference_id: `pa_${systemIds().ulid(new Date())}`,
      'metadata[order_no]': order.order_no,
    });
    await pay(desk, session, { webhook: 'none' });
    const { code, out } = await run('reconcile-provider', '--since=2h', '--channel', desk.card.payment_no);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`order ${order.order_no}, 1060 minor units of USD`),
    ]);
    expect(out).toContain('payment_missing_here: pi_');
    expect(await alarms()).toContain('provider_differs');
    const { items } = await desk.service.admin<{ items: Json[] }>('GET', '/provider-reconciliations?limit=1');
    expect(items).toMatchObject([
      {
        ...{ payment_no: desk.card.payment_no, run_by: 'command', failure: null },
        differences: [{ kind: 'payment_missing_here', order_no: order.order_no, merchant_no: null }],
      },
    ]);
    expect(merchant_no).toMatch(/^mr_/);

    await desk.sim('POST', '/webhooks/replay', { event_id: await eventOf(session.id) });
    const found = await eventually(
      async () => {
        const { items: cases } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100');
        return cases.find(({ session_id }) => session_id === session.id);
      },
      (known) => known !== undefined,
    );
    expect((await resolve(desk, found as Case, 'adopt')).status).toBe(200);
    expect((await run('reconcile-provider', '--since', '2h')).code).toBe(0);
    expect(await alarms()).not.toContain('provider_differs');
  });

  test('D-696 lists money that went back after it was paid back by bank, until a person is told', async () => {
    const repaid = [await repaidCase(), await repaidCase()] as const;
    await holdWebhooks(true);
    const [{ found: disputed }, { found: refunded }] = repaid;
    await desk.sim('POST', `/sessions/${disputed.session_id ?? ''}/dispute`, { outcome: 'lost' });
    await desk.provider('/refunds', { payment_intent: refunded.provider_payment_id ?? '' });
    const { code, out } = await run('reconcile-provider', '--since', '2h');
    expect(code).toBe(1);
    const [disputedNo, refundedNo] = repaid.map(({ order_no }) => order_no);
    expect(out).toMatch(new RegExp(`dispute_missing_here: du_.*order ${disputedNo ?? ''}, 500 minor units`));
    expect(out).toMatch(new RegExp(`refund_missing_here: re_.*order ${refundedNo ?? ''}, 500 minor units`));
    await holdWebhooks(false);
    await eventually(
      () => run('reconcile-provider', '--since', '2h'),
      (again) => again.code === 0,
    );
  });

  const dispute = (session_id: string, about: Json) =>
    desk.sim('POST', `/sessions/${session_id}/dispute`, about);

  test.each<[string, (paid: CardPaid) => Promise<unknown>]>([
    [
      'a dispute after a person has charged the order back',
      async ({ order, session_id }) => {
        const { body } = await shop.complain(order);
        await shop.decide(body.complaint_id, { decision: 'confirm' });
        await shop.until(order, 'chargeback');
        await dispute(session_id, { outcome: 'lost' });
      },
    ],
    [
      'a refund in its dashboard after a person has charged the order back',
      async ({ order, payment_id }) => {
        const { body } = await shop.complain(order);
        await shop.decide(body.complaint_id, { decision: 'confirm' });
        await shop.until(order, 'chargeback');
        await desk.provider('/refunds', { payment_intent: payment_id });
      },
    ],
    ...(['100', null] as const).map((last): [string, (paid: CardPaid) => Promise<unknown>] => [
      `D-1292 refunds of ${last === null ? 'all that is left' : 'parts'} after a person has charged the order back over one`,
      async ({ order, payment_id }) => {
        const refundPart = (amount: string | null) =>
          desk.provider('/refunds', { payment_intent: payment_id, ...(amount === null ? {} : { amount }) });
        await refundPart('200');
        const { complaints } = await eventually(
          () => shop.detail(order),
          (detail) => detail.complaints.length === 1,
        );
        await shop.decide(String(complaints[0]?.['complaint_id']), { decision: 'confirm' });
        await shop.until(order, 'chargeback');
        await refundPart('300');
        await refundPart(last);
        await eventually(
          () => shop.cases(order),
          (cases) => cases.at(-1)?.includes('refunded beside a chargeback') === true,
        );
      },
    ]),
    [
      'several partial refunds',
      async ({ payment_id }) => {
        for (const amount of ['200', '300'])
          await desk.provider('/refunds', { payment_intent: payment_id, amount });
      },
    ],
  ])('D-850 finds nothing where a case tells a person of %s', async (_, makeDifference) => {
    const paid = await shop.byCard();
    await makeDifference(paid);
    await eventually(
      () => run('reconcile-provider', '--since', '1h'),
      ({ code }) => code === 0,
    );
  });

  test('D-1261 has failed where it cannot be asked whether a refund is a part of what is known', async () => {
    const { order, payment_id } = await shop.byCard();
    for (const amount of ['200', '300'])
      await desk.provider('/refunds', { payment_intent: payment_id, amount });
    await eventually(
      () => shop.cases(order),
      (cases) => cases.some((line) => line.startsWith('partial_refund 500 USD')),
    );
    const one = {
      id: 're_first',
      amount: 200n,
      currency: 'USD',
      status: 'succeeded',
      case_id: null,
      payment_id,
    } as const;
    const found = withProvider(desk, desk.card.payment_no, {}, (deps, channel) => {
      const refundsOf = () => Promise.resolve({ kind: 'failed', reason: 'timeout' } as const);
      return compareRefund({ ...deps, cards: { ...deps.cards, refundsOf } }, channel, one);
    });
    expect(await found).toEqual({ failure: 'timeout' });
  });

  test('D-850 finds nothing where a dispute took only the rest of a receipt, which its case held', async () => {
    const { order, found } = await receivedWrongly(desk, shop, 2_000);
    await resolve(desk, found, 'accept');
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '1060' });
    await shop.until(order, 'refunded');
    await dispute(found.session_id ?? '', { amount: 940, outcome: 'lost' });
    await caseOf(desk, order, ({ state }) => state === 'resolved');
    expect((await run('reconcile-provider', '--since', '1h')).code).toBe(0);
  });

  test.each(['an order', 'a case'])(
    'D-872 lists a refund of %s that failed after it was booked, until a person is told',
    async (of) => {
      const { order, id } = of === 'a case' ? await refundedCase() : await refundedOrder();
      await desk.sim('POST', `/refunds/${id}/settle`, { outcome: 'failed' });
      const { code, out } = await run('reconcile-provider', '--since', '1h');
      expect(code).toBe(1);
      expect(out).toMatch(new RegExp(`refund_failed_there: ${id} .*order ${order.order_no}`));
      await holdWebhooks(false);
      await eventually(
        () => run('reconcile-provider', '--since', '1h'),
        (again) => again.code === 0,
      );
      expect((await shop.cases(order)).at(-1)).toContain('the refund failed after it was booked');
    },
  );

  /** A case whose refund was refused, and whose money the platform has paid back by bank. */
  async function repaidCase(): Promise<{ order_no: string; found: Case }> {
    const { order, found } = await receivedWrongly(desk, shop, 500);
    await refuseNextRefund(desk);
    await resolve(desk, found, 'refund');
    await resolve(desk, found, 'repay', 'by bank');
    return { order_no: order.order_no, found };
  }

  test('lists a payment that the provider does not have, a refund and a dispute that the books do not have', async () => {
    const gone = await shop.byCard();
    const refunded = await shop.byCard();
    const disputed = await shop.byCard();
    await holdWebhooks(true);
    await desk.provider('/refunds', { payment_intent: refunded.payment_id, amount: '1060' });
    await desk.sim('POST', `/sessions/${disputed.session_id}/dispute`, {});
    const rename = (session_id: string, payment_id: string) =>
      beside(desk.service, (db) =>
        db.query(sql`UPDATE payment_attempts SET session_id = ${session_id}, provider_trade_no = ${payment_id}
          WHERE order_no = ${gone.order.order_no}`),
      );
    await rename('cs_live_unknown', 'pi_unknown');
    const { code, out } = await run('reconcile-provider', '--since', '1h', '--json');
    await rename(gone.session_id, gone.payment_id);
    await holdWebhooks(false);
    const [{ differences } = { differences: [] }] = JSON.parse(out) as { differences: Json[] }[];
    expect(code).toBe(1);
    expect(differences.map(({ kind, order_no }) => [kind, order_no])).toEqual([
      ['payment_missing_here', gone.order.order_no],
      ['refund_missing_here', refunded.order.order_no],
      ['dispute_missing_here', disputed.order.order_no],
      ['payment_missing_there', gone.order.order_no],
    ]);
  });

  test('says so where a provider cannot be read, and works without the right to read events', async () => {
    const fault = { mode: 'status', status: 403, times: 1 };
    await desk.sim('POST', '/faults', { endpoint: 'events.list', ...fault });
    await shop.until((await shop.byCard()).order, 'paid');
    expect((await run('reconcile-provider', '--since', '1s')).code).toBe(0);
    await desk.sim('POST', '/faults', { endpoint: 'sessions.list', ...fault });
    const { code, out } = await run('reconcile-provider', '--since', '1h');
    expect([code, out]).toEqual([1, expect.stringContaining('the provider could not be read')]);
    expect(await alarms()).toContain('provider_differs');
  });

  test.each([
    [[], '--since is needed'],
    [['--since', 'yesterday'], '--since must be a time'],
    [['--since', '2026-13-01'], '--since must be a time'],
    [['--since', '1h', '--until', '2h'], '--since must be before --until'],
  ])('wrong usage %j is one line and exit code 2', async (args, why) => {
    const { code, out } = await run('reconcile-provider', ...args);
    expect([code, out.split('\n').length, out]).toEqual([2, 1, expect.stringContaining(why)]);
  });
});

test('D-103 a worker compares each enabled card channel once a night, by the service’s clock', async () => {
  const runs = async () => {
    const { items } = await desk.service.admin<{ items: { run_by: string }[] }>(
      'GET',
      '/provider-reconciliations?limit=100',
    );
    return items.filter(({ run_by }) => run_by === 'worker').length;
  };
  const order = await shop.merchant.order({ expires_in: 3_600 });
  await startedCard(desk, order);
  await pay(desk, await sessionOf(desk, order));
  await shop.until(order, 'paid');
  const before = await runs();
  await passTime(desk, 24 * 3_600);
  await eventually(runs, (count) => count === before + 1);
  await passTime(desk, 3_600);
  expect(await runs()).toBe(before + 1);
});

/** The latest night of a channel. */
const nightOf = async (payment_no: string): Promise<Night | undefined> => {
  const { items } = await desk.service.admin<{ items: Night[] }>(
    'GET',
    '/provider-reconciliations?limit=100',
  );
  return items.find((run) => run.run_by === 'worker' && run.payment_no === payment_no);
};

/** The night that a channel has after some days. */
const nightAfter = async (days: number, payment_no = desk.card.payment_no): Promise<Night> => {
  const before = await nightOf(payment_no);
  await passTime(desk, Math.round(days * day_s));
  const found = await eventually(
    () => nightOf(payment_no),
    (night) => night !== undefined && night.reconciliation_id !== before?.reconciliation_id,
  );
  if (found === undefined) throw new Error('no night was compared');
  return found;
};

const breakLists = () =>
  desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 1_000 });

test('D-1151 a night leaves out no time since the last one, and a night that could not be read is read again', async () => {
  const last = await nightOf(desk.card.payment_no);
  const afterStop = await nightAfter(4);
  expect(Date.parse(afterStop.since)).toBeLessThanOrEqual(Date.parse(last?.until ?? ''));

  await breakLists();
  const unread = await nightAfter(1);
  expect(unread.failure).not.toBeNull();
  await desk.sim('DELETE', '/faults');
  // A person compares the last minutes only, which are in order.
  await run('reconcile-provider', '--since', '5m');
  const again = await nightAfter(1);
  expect(again.failure).toBeNull();
  expect(Date.parse(again.since)).toBeLessThanOrEqual(Date.parse(unread.since));
  const afterLongStop = await nightAfter(90);
  expect(lengthOf(afterLongStop)).toBe(30 * 24 * 3_600_000);
});

test('D-1151 the first night begins with the channel, and a night that could not be read for long is cut too', async () => {
  const { payment_no } = await addCardChannel(desk.service, desk.cardsim.url, { name: 'New' });
  const { now } = await desk.service.admin<{ now: string }>('GET', '/test-clock');
  await breakLists();
  const first = await nightAfter(4, payment_no);
  expect(Date.parse(first.since)).toBeLessThanOrEqual(Date.parse(now));
  expect(first.failure).not.toBeNull();
  await desk.sim('DELETE', '/faults');
  expect(lengthOf(await nightAfter(60, payment_no))).toBe(30 * 24 * 3_600_000);
  await desk.service.admin('PATCH', `/channels/${payment_no}`, { enabled: false });
});

const lengthOf = ({ since, until }: Night): number => Date.parse(until) - Date.parse(since);

interface Night {
  reconciliation_id: string;
  payment_no: string;
  run_by: string;
  since: string;
  until: string;
  differences: Json[];
  failure: string | null;
}

const holdWebhooks = (hold: boolean) => desk.sim('POST', '/webhooks/hold', { hold });

/** An order that was refunded. The provider holds its news back, which could tell of what happens to the refund next. */
const refundedOrder = async () => {
  const { order } = await shop.byCard();
  await holdWebhooks(true);
  await shop.refund(order);
  const { refunds } = await shop.detail(order);
  return { order, id: String(refunds[0]?.['provider_refund_id']) };
};

/** The same of a case. */
const refundedCase = async () => {
  const { order, found } = await receivedWrongly(desk, shop, 500);
  await holdWebhooks(true);
  const { body } = await resolve(desk, found, 'refund');
  return { order, id: body.refund?.provider_refund_id ?? '' };
};

async function eventOf(session_id: string): Promise<string> {
  const { items } = await desk.sim<{ items: { id: string; data: { object: { id: string } } }[] }>(
    'GET',
    '/events',
  );
  return items.find(({ data }) => data.object.id === session_id)?.id ?? '';
}

test.each([1, 9])(
  'D-1113 nights go on, and count, where the clock was %i days ahead and has been set back',
  async (ahead) => {
    const { payment_no } = desk.card;
    const { now } = await desk.service.admin<{ now: string }>('GET', '/test-clock');
    // At eight o’clock, far from a night.
    const toEight = (4 / 3 - ((Date.parse(now) / 1_000 / day_s) % 1)) % 1;
    const { reconciliation_id, until } = await nightAfter(1 + toEight);
    const ahead_id = `rc_${systemIds().ulid(new Date(Date.parse(until) + ahead * day_s * 1_000))}`;
    await beside(desk.service, async (db) => {
      const [taken] = await db.query<{ night: Date }>(
        sql`SELECT night FROM provider_reconciliation_nights WHERE payment_no = ${payment_no}`,
      );
      // On a cluster an update cannot add to a time.
      const night = new Date(Number(taken?.night) + ahead * day_s * 1_000);
      await db.query(
        sql`UPDATE provider_reconciliation_nights SET night = ${night} WHERE payment_no = ${payment_no}`,
      );
      await db.query(
        sql`UPDATE provider_reconciliations SET reconciliation_id = ${ahead_id}
          WHERE reconciliation_id = ${reconciliation_id}`,
      );
    });
    const tenMinutes = 1 / 144;
    expect((await nightAfter(tenMinutes)).failure).toBeNull();
  },
);

test('D-905 a comparison for which the refunds of a payment with a failed one cannot be listed has failed', async () => {
  const { payment_id } = await shop.byCard();
  const refund = {
    id: 're_failed',
    status: 'failed',
    amount: 1_060n,
    currency: 'USD',
    payment_id,
    case_id: null,
  };
  const found = (value: unknown[]) => () => Promise.resolve({ kind: 'found', value });
  const lists = {
    ...{ sessionsIn: found([]), disputesIn: found([]), eventsIn: found([]), refundsIn: found([refund]) },
    refundsOf: () => Promise.resolve({ kind: 'failed', reason: 'status 500' }),
  };
  const result = await withProvider(desk, desk.card.payment_no, {}, async (deps, channel) => {
    const cards = { ...deps.cards, ...lists } as unknown as typeof deps.cards;
    const none = new Date(0);
    const span = { since: none, until: none, run_by: 'command' } as const;
    return (await reconcileChannel({ ...deps, cards }, channel, span)).result;
  });
  expect(result).toMatchObject({ differences: [], failure: 'status 500' });
});

// The last tests: the clock of the provider stays ahead.
test('D-872 lists an older failed refund too, of which an event tells', async () => {
  const { id } = await refundedOrder();
  const made = Date.now();
  await desk.sim('PUT', '/clock', { advance_seconds: 600 });
  await desk.sim('POST', `/refunds/${id}/settle`, { outcome: 'failed' });
  const [since = '', until = ''] = [300, 3_600].map((s) => new Date(made + s * 1_000).toISOString());
  const { out } = await run('reconcile-provider', '--since', since, '--until', until);
  await holdWebhooks(false);
  expect(out).toContain(`refund_failed_there: ${id}`);
});

test('D-1153 D-1125 what a night finds is compared again and alarms until it is in order, whatever a person compares meanwhile', async () => {
  const { order, payment_id } = await shop.byCard({ expires_in: 7_200 });
  // The refund has a time of the service, which decides about nights.
  const [ours, theirs] = await Promise.all([
    desk.service.admin<{ now: string }>('GET', '/test-clock'),
    desk.sim<{ now: string }>('GET', '/clock'),
  ]);
  const advance_seconds = Math.round((Date.parse(ours.now) - Date.parse(theirs.now)) / 1_000);
  await desk.sim('PUT', '/clock', { advance_seconds });
  await holdWebhooks(true);
  await desk.provider('/refunds', { payment_intent: payment_id });
  const found = [{ kind: 'refund_missing_here', order_no: order.order_no }];
  expect((await nightAfter(1)).differences).toMatchObject(found);
  expect((await run('reconcile-provider', '--since', '5m')).code).toBe(0);
  expect(await alarms()).toContain('provider_differs');
  await breakLists();
  expect(await nightAfter(1)).toMatchObject({ differences: found, failure: expect.any(String) as string });
  await desk.sim('DELETE', '/faults');
  const night = await nightAfter(40);
  expect(night.differences).toMatchObject(found);
  await holdWebhooks(false);
  await shop.until(order, 'refunded');
  // A person who compares all that the night did ends the alarm.
  const until = new Date(Date.parse(night.until) + 60_000).toISOString();
  expect(await alarms()).toContain('provider_differs');
  expect((await run('reconcile-provider', '--since', night.since, '--until', until)).code).toBe(0);
  expect(await alarms()).not.toContain('provider_differs');
  expect((await run('reconcile-provider', '--since', '5m')).code).toBe(0);
  expect(await alarms()).not.toContain('provider_differs');
  expect((await nightAfter(1)).differences).toEqual([]);
});

test.each([
  ['in its lists', 400, 'sessionsIn'],
  ['among its look-ups', 500, 'refundById'],
])(
  'D-1127 a process that stops ends its comparison %s, and another one begins it again at once',
  async (_, days, question) => {
    const later_ms = days * 24 * 3_600_000;
    const none = () => Promise.resolve({ kind: 'found', value: [] });
    const events = ['1', '2', '3'].map((id) => ({ id, type: 'refund.updated', object_id: `re_${id}` }));
    const nights = await withProvider(desk, desk.card.payment_no, { later_ms }, async (deps) => {
      const stop = new AbortController();
      let asked = 0;
      const stopping = () => {
        asked++;
        stop.abort();
        return Promise.resolve({ kind: 'none' });
      };
      const lists = {
        ...{ sessionsIn: none, refundsIn: none, disputesIn: none },
        eventsIn: () => Promise.resolve({ kind: 'found', value: events }),
        refundById: () => Promise.resolve({ kind: 'none' }),
      };
      const night = (said: object, signal: AbortSignal) => {
        const cards = { ...deps.cards, ...lists, ...said } as unknown as typeof deps.cards;
        const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
        return reconcileWhenDue({ ...deps, cards, log } as unknown as typeof deps, signal);
      };
      const kept = async () =>
        (await selectReconciliations(deps.db, { before: null, limit: 100 })).filter(
          ({ until }) => until.getTime() > Date.now() + later_ms - 3_600_000,
        ).length;
      await night({ [question]: stopping }, stop.signal);
      const stopped = await kept();
      await night({}, new AbortController().signal);
      return { asked, stopped, again: await kept() };
    });
    expect(nights).toMatchObject({ asked: 1, stopped: 0 });
    expect(nights.again).toBeGreaterThan(0);
  },
);

/** A payment that nobody here knows. */
const unknownPayment = (name: string, created: number): ListedSession => ({
  ...sampleSession({ id: `cs_${name}`, payment_id: `pi_${name}`, created, status: 'complete', paid: true }),
  ...{ reference: `pa_${name}`, order_no: null, merchant_id: null, recovery: null },
});

/** Compares a channel with a provider that says this. */
const comparedWith = (said: object, request: Omit<ReconciliationRequest, 'until'>, until = new Date()) =>
  withProvider(desk, 'ch_of_nobody', {}, async (deps, channel) => {
    const cards = { ...deps.cards, ...said };
    return (await reconcileChannel({ ...deps, cards }, channel, { ...request, until })).result;
  });

test('D-1124 a long time is compared in parts of limited size, with the result of one part', async () => {
  const until_s = Math.floor(Date.now() / 1_000);
  const sessions = Array.from({ length: 300 }, (_, i) => unknownPayment(String(i), until_s - i * 3_600 - 60));
  // Each is told of when it is paid, and once more when it is older than any list of a part.
  const events = sessions.flatMap(({ id, created }) =>
    [60, 4 * 24 * 3_600].map((after_s, i) => ({
      id: `evt_${i}_${id}`,
      object_id: id,
      created: created + after_s,
    })),
  );
  const sizes: number[] = [];
  const listed =
    <T extends { created: number }>(all: readonly T[], more: object) =>
    (_: Channel, { from, to }: { from: number; to: number }) => {
      const value = all.filter(({ created }) => created >= from && created <= to);
      sizes.push(value.length);
      return Promise.resolve({ kind: 'found', value: value.map((one) => ({ ...one, ...more })) });
    };
  const said = {
    sessionsIn: listed(sessions, {}),
    refundsIn: listed([], {}),
    disputesIn: listed([], {}),
    eventsIn: listed(events, { type: 'checkout.session.completed' }),
    session: (_: Channel, id: string) =>
      Promise.resolve({ kind: 'found', value: sessions.find((session) => session.id === id) }),
  };
  const since = new Date((until_s - 10 * 24 * 3_600) * 1_000);
  const inOnePart = await comparedWith(said, { since, run_by: 'after-restore' });
  const size = Math.max(...sizes);
  sizes.length = 0;
  const inParts = await comparedWith(said, { since, run_by: 'command' });
  const sorted = ({ differences }: Reconciliation) =>
    differences.map(({ session_id }) => session_id).toSorted();
  const sums = ({ sessions: all, payments, events: news }: Reconciliation) => [all, payments, news];
  expect([sums(inParts), sorted(inParts)]).toEqual([sums(inOnePart), sorted(inOnePart)]);
  expect(Math.max(...sizes)).toBeLessThan(size / 4);
});

test('D-1126 a night that cannot read when an unknown payment was made has failed', async () => {
  const made_s = Math.floor(Date.now() / 1_000) - 3_600;
  const found = (value: unknown[]) => () => Promise.resolve({ kind: 'found', value });
  const said = {
    ...{ sessionsIn: found([unknownPayment('1', made_s)]), refundsIn: found([]), disputesIn: found([]) },
    ...{ eventsIn: found([]), payment: () => Promise.resolve({ kind: 'failed', reason: 'timeout' }) },
  };
  const since = new Date((made_s - 3_600) * 1_000);
  expect(await comparedWith(said, { since, run_by: 'worker' })).toMatchObject({
    ...{ differences: [], failure: 'the payment could not be read' },
  });
});
