import type { FaultMode } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultDesk, type FaultOrder, life_s, openFaultDesk } from '../../support/desks/fault-desk.ts';
import type { Json } from '../../support/desks/service.ts';

/*
 * The rows of the attempt's table that need more of a story than one call that goes wrong: asynchronous payments,
 * answers that cross, and payments that come after all. The matrix of faults has the others.
 */
let desk: FaultDesk;

beforeAll(async () => {
  desk = await openFaultDesk();
});

afterAll(() => desk.stop());

/** An order whose buyer is on the provider's page. */
async function opened(): Promise<FaultOrder> {
  const order = await desk.open();
  order.at(10);
  expect(await order.start()).toBe('redirect');
  return order;
}

async function told(order: FaultOrder): Promise<void> {
  await order.tell();
  await order.follow();
}

async function lookAt(order: FaultOrder, s: number): Promise<void> {
  order.at(s);
  await order.read();
  await order.reconcile();
}

const reservedOnly = { reservation: 'reserved', postings: ['P4a'] };
const takenBack = { reservation: 'released', postings: ['P4a', 'P4c'] };
const capturedOnly = { reservation: 'captured', postings: ['P4a', 'P4b'] };

/** The next call is not carried out, and answered with this. */
const answer = (endpoint: string, body: unknown): Json => ({ endpoint, mode: 'status', status: 200, body });
const nothingFound = answer('sessions.list', { object: 'list', data: [], has_more: false, url: '/' });

describe('an open session', () => {
  test('3.2 open → open: R-201, D-095 the buyer returns to the same page, and the provider is not asked again', async () => {
    const order = await opened();
    for (const s of [20, 30, life_s - 1]) {
      order.at(s);
      expect(await order.start()).toBe('redirect');
    }
    expect(await order.asked('sessions.create')).toBe(1);
    expect(await order.end()).toMatchObject({ statuses: ['pending'], attempt: 'open', sessions: ['open'] });
  });

  test('R-206 nothing moves the deadline: a start at the deadline is refused without a call to the provider', async () => {
    const order = await opened();
    order.at(life_s);
    expect(await order.start()).toBe('payment_expired');
    expect(await order.asked('sessions.create')).toBe(1);
  });

  test('3.2 open, expire refused because complete → look again → paid: R-181, R-235, T6', async () => {
    const order = await opened();
    order.at(life_s);
    expect(await order.read()).toBe('review');
    await order.reconcile({ call: 'session', meanwhile: () => order.pay() });
    expect(await order.asked('sessions.expire')).toBe(1);
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review', 'paid'],
      attempt: 'paid',
      sessions: ['complete'],
      ...capturedOnly,
    });
  });

  test('3.2 open, expire refused because complete → look again → processing: R-235 the order stays in review', async () => {
    const order = await opened();
    order.at(life_s);
    await order.read();
    await order.reconcile({ call: 'session', meanwhile: () => order.pay({ async: true }) });
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review'],
      attempt: 'processing',
      sessions: ['complete'],
      ...reservedOnly,
    });
  });
});

describe('an asynchronous payment', () => {
  async function processing(): Promise<FaultOrder> {
    const order = await opened();
    await order.pay({ async: true });
    await told(order);
    expect(await order.end()).toMatchObject({ statuses: ['pending'], attempt: 'processing' });
    return order;
  }

  test('3.2 open → processing: D-101, R-187 it is never closed, and never expires by itself', async () => {
    const order = await processing();
    for (const s of [0, 60, 3_600, 40 * 3_600]) await lookAt(order, life_s + s);
    expect(await order.asked('sessions.expire')).toBe(0);
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review'],
      attempt: 'processing',
      sessions: ['complete'],
      ...reservedOnly,
    });
  });

  test.each([
    ['T5', 60, 120, ['pending', 'paid']],
    ['T6', life_s + 60, 3_600, ['pending', 'review', 'paid']],
  ])('3.2 processing → paid, %s: it succeeds after %d s', async (_, s, later_s, statuses) => {
    const order = await processing();
    await lookAt(order, s);
    await order.settleAsync('succeeded');
    await lookAt(order, s + later_s);
    expect(await order.end()).toEqual({ statuses, attempt: 'paid', sessions: ['complete'], ...capturedOnly });
  });

  test('3.2 processing → failed: D-102 the fee is given back, the method stays locked, and T7 comes with the deadline', async () => {
    const order = await processing();
    order.at(60);
    await order.settleAsync('failed');
    await lookAt(order, 120);
    expect(await order.end()).toEqual({
      statuses: ['pending'],
      attempt: 'failed',
      sessions: ['complete'],
      ...takenBack,
    });
    expect(await order.start()).toBe('payment_conflict');
    await lookAt(order, life_s);
    expect((await order.end()).statuses).toEqual(['pending', 'review', 'expired']);
  });
});

describe('a creation that was not answered', () => {
  async function unknown(mode = 'reset_after'): Promise<FaultOrder> {
    const order = await desk.open();
    order.at(10);
    await order.arm({ endpoint: 'sessions.create', mode, ...(mode === 'status' ? { status: 500 } : {}) });
    expect(await order.start()).toBe('pending');
    return order;
  }

  test('3.2 unknown → unknown on a 4xx of the same key: R-204 the lock stays, R-236 and the next answer counts', async () => {
    const order = await unknown('status');
    order.at(20);
    await order.arm({ endpoint: 'sessions.create', mode: 'status', status: 400 });
    expect(await order.start()).toBe('pending');
    expect(await order.end()).toMatchObject({ statuses: ['pending'], attempt: 'unknown', ...reservedOnly });
    order.at(30);
    expect(await order.start()).toBe('redirect');
    expect(await order.asked('sessions.create')).toBe(3);
    expect(await order.end()).toMatchObject({ attempt: 'open', sessions: ['open'] });
  });

  test('3.2 unknown → rejected on a 4xx of the same key: D-196 no request was answered, and there is no session', async () => {
    const order = await unknown('reset_before');
    order.at(20);
    await order.arm({ endpoint: 'sessions.create', mode: 'status', status: 400 });
    expect(await order.start()).toBe('provider_checkout_rejected');
    expect(await order.asked('sessions.list')).toBe(1);
    expect(await order.end()).toMatchObject({ statuses: ['pending'], attempt: 'rejected', ...takenBack });
    order.at(30);
    expect(await order.start()).toBe('redirect');
  });

  test('3.2 unknown → unknown on a 4xx of the same key: D-196 the look-up fails, and the lock stays', async () => {
    const order = await unknown('reset_before');
    order.at(20);
    await order.arm({ endpoint: 'sessions.create', mode: 'status', status: 400 });
    await order.arm({ endpoint: 'sessions.list', mode: 'status', status: 500 });
    expect(await order.start()).toBe('pending');
    order.at(30);
    expect(await order.start()).toBe('redirect');
  });

  test('D-351 after each fault of the simulator and a refused retry, the method is unlocked only where nothing was answered and nothing is found', async () => {
    /** The attempt then. All but the first keep the method. */
    type Outcome = 'rejected' | 'unknown' | 'open' | 'mismatch';
    /** By mode, with what a mode needs besides; null: the simulator does not offer it for a creation. */
    const outcomes: Record<FaultMode, readonly (readonly [Json, Outcome])[] | null> = {
      status: [
        // The first answer is the refusal itself.
        ...[400, 402, 404].map((status) => [{ status }, 'rejected'] as const),
        ...[408, 409, 425, 429, 500, 503].map((status) => [{ status }, 'unknown'] as const),
        [{ status: 500, processed: true }, 'unknown'],
      ],
      reset_before: [[{}, 'rejected']],
      // After a time-out the request may still be under way.
      hang_before: [[{}, 'unknown']],
      hang_after: [[{}, 'unknown']],
      // No byte of an answer, but the look-up finds the session.
      reset_after: [[{}, 'unknown']],
      truncate: [[{}, 'unknown']],
      delay: [[{ delay_ms: 10 }, 'open']],
      amount: [[{ amount_total: 1 }, 'mismatch']],
      currency: [[{ currency: 'eur' }, 'mismatch']],
      pending: null,
    };
    const endpoint = 'sessions.create';
    const ends = Object.entries(outcomes).map(async ([mode, rows]) => {
      if (rows === null) {
        await expect((await desk.open()).arm({ endpoint, mode })).rejects.toThrow('400');
        return [];
      }
      return Promise.all(
        rows.map(async ([more, outcome]) => {
          const order = await desk.open();
          order.at(10);
          await order.arm({ endpoint, mode, ...more });
          await order.start();
          order.at(20);
          await order.arm({ endpoint, mode: 'status', status: 400 });
          await order.start();
          const { attempt } = await order.end();
          const fault = { mode, ...more };
          return [
            { ...fault, attempt: [...new Set(attempt?.split(', '))].join() },
            { ...fault, attempt: outcome },
          ];
        }),
      );
    });
    const seen = (await Promise.all(ends)).flat();
    expect(seen.map(([was]) => was)).toEqual(seen.map(([, should]) => should));
  });

  test.each([
    ['open', undefined, ['pending']],
    ['processing', { async: true }, ['pending']],
    ['paid', {}, ['pending', 'paid']],
  ] as const)('3.2 unknown → %s by a webhook: D-108', async (attempt, payment, statuses) => {
    const order = await unknown();
    if (payment !== undefined) await order.pay(payment);
    await told(order);
    expect(await order.end()).toMatchObject({ statuses, attempt });
  });

  test('3.2 creating → paid: R-229 the webhook overtakes the answer, which overwrites nothing', async () => {
    const order = await desk.open();
    order.at(10);
    const meanwhile = async (): Promise<void> => {
      await order.pay();
      await told(order);
      expect(await order.end()).toMatchObject({ statuses: ['pending', 'paid'], attempt: 'paid' });
    };
    expect(await order.start({ call: 'createSession', meanwhile })).toBe('paid');
    expect(await order.end()).toEqual({
      statuses: ['pending', 'paid'],
      attempt: 'paid',
      sessions: ['complete'],
      ...capturedOnly,
    });
  });
});

describe('a payment that comes after all', () => {
  const late = { attempt: 'paid_late', sessions: ['complete'], reservation: 'captured_late' };
  const postings = ['P4a', 'P4c', 'P4d'];

  /** Pays an ended order, sends the webhook twice, and looks the session up once more. */
  async function paidAfterAll(order: FaultOrder, pay: () => Promise<void>): Promise<void> {
    await pay();
    await told(order);
    await told(order);
    await lookAt(order, life_s + 10_000);
  }

  test('3.2 closed → paid_late, T9: R-186', async () => {
    const order = await opened();
    const expired = { ...(await order.session()), status: 'expired' };
    await order.arm(answer('sessions.retrieve', expired));
    await lookAt(order, life_s);
    expect(await order.end()).toMatchObject({
      statuses: ['pending', 'review', 'expired'],
      attempt: 'closed',
    });
    await paidAfterAll(order, () => order.pay());
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review', 'expired', 'paid'],
      ...late,
      postings,
    });
  });

  test('3.2 absent → paid_late, T9: R-186, D-093', async () => {
    const order = await desk.open();
    order.at(life_s - 10);
    await order.arm({ endpoint: 'sessions.create', mode: 'reset_after' });
    expect(await order.start()).toBe('pending');
    await order.arm({ ...nothingFound, times: 3 });
    for (const s of [0, 70, 140]) await lookAt(order, life_s + s);
    expect(await order.end()).toMatchObject({
      statuses: ['pending', 'review', 'expired'],
      attempt: 'absent',
    });
    await paidAfterAll(order, () => order.pay());
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review', 'expired', 'paid'],
      ...late,
      postings,
    });
  });

  test('3.2 failed → paid_late, T9: a payment under way was taken for failed', async () => {
    const order = await opened();
    await order.pay({ async: true });
    await order.arm(answer('payment_intents.retrieve', { id: 'pi_x', status: 'canceled', created: 1 }));
    await told(order);
    await lookAt(order, life_s);
    expect(await order.end()).toMatchObject({
      statuses: ['pending', 'review', 'expired'],
      attempt: 'failed',
    });
    await paidAfterAll(order, () => order.settleAsync('succeeded'));
    expect(await order.end()).toEqual({
      statuses: ['pending', 'review', 'expired', 'paid'],
      ...late,
      postings,
    });
  });

  test('3.2 rejected → paid_late: the provider refused, and had made the session', async () => {
    const order = await desk.open();
    order.at(10);
    await order.arm({ endpoint: 'sessions.create', mode: 'status', status: 400, processed: true });
    expect(await order.start()).toBe('provider_checkout_rejected');
    await paidAfterAll(order, () => order.pay());
    expect(await order.end()).toEqual({ statuses: ['pending', 'paid'], ...late, postings });
  });

  test('3.2 paid → paid: R-228, R-230 later events change nothing', async () => {
    const order = await opened();
    await order.pay();
    await told(order);
    const before = await order.end();
    await order.arm(answer('sessions.retrieve', { ...(await order.session()), status: 'expired' }));
    await told(order);
    await lookAt(order, life_s + 60);
    expect(await order.end()).toEqual(before);
    expect(before).toMatchObject({ statuses: ['pending', 'paid'], attempt: 'paid', ...capturedOnly });
  });
});
