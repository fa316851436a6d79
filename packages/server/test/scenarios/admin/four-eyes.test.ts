import { ApprovalAnswer, ApprovalPendingAnswer, ApprovedAnswer, SettingsAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import {
  caseOf,
  pay,
  receivedWrongly,
  refuseNextRefund,
  resolve,
  startedCard,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { addMerchant, addUser, topUp } from '../../support/desks/platform.ts';
import type { Answer, Json } from '../../support/desks/service.ts';
import { addStaff, type Staff } from '../../support/people/staff.ts';
import { auditOn, beside, makeOwe, walletOf } from '../../support/desks/wallets.ts';

let desk: LossDesk;
let ada: Staff;
let ben: Staff;

beforeAll(async () => {
  desk = await openLossDesk();
  ada = await addStaff(desk.service, 'Ada Asks');
  ben = await addStaff(desk.service, 'Ben Decides');
  // JPY 1 is 100 units of PTK.
  await desk.service.admin('PUT', '/rates/JPY', { ptk_price: '1000000' });
});
afterAll(() => desk.stop());
afterEach(() => threshold('0'));

const reason = 'as agreed';
const put = (body: unknown): Promise<Answer> => ada.call('PUT', '/settings', body);

async function threshold(four_eyes_ptk: string): Promise<void> {
  const { status, text } = await put({ four_eyes_ptk });
  if (status !== 200) throw new Error(text);
}

const decide = (
  who: Staff,
  approval_id: unknown,
  how: 'approve' | 'reject',
  body?: unknown,
): Promise<Answer> =>
  who.call('POST', `/approvals/${String(approval_id)}/${how}`, body ?? { reason: 'looked into it' });

/** The approval that an answer names; fails unless the answer says that it waits. */
function waiting({ status, body }: Answer): string {
  expect([status, body.error, body.status]).toEqual([202, 'approval_pending', 'approval_pending']);
  expect(Check(ApprovalPendingAnswer, body)).toBe(true);
  return String(body.approval_id);
}

const approvalOf = async (approval_id: string): Promise<Json> =>
  (await ada.call('GET', `/approvals/${approval_id}`)).body;

async function shopWith(available: string): Promise<{ merchant_no: string; path: string }> {
  const { merchant_no } = await addMerchant(desk.service, desk.platform.owner);
  const path = `/merchants/${merchant_no}`;
  const body = { amount_ptk: available, reference: 'start', reason };
  if (available !== '0') await desk.service.admin('POST', `${path}/ptk-top-ups`, body);
  return { merchant_no, path };
}

/** A withdrawal of 100 PTK units; the path of its decision. */
async function requested(
  merchant_no: string,
  payout: { payout_currency: string; payout_amount: string },
): Promise<string> {
  const wanted = { merchant_no, amount_ptk: '100', reference: 'out', ...payout };
  const { body } = await ada.call('POST', '/withdrawals', wanted);
  return `/withdrawals/${String(body.withdrawal_id)}/decision`;
}

describe('the settings', () => {
  test('the threshold is off at first, is set, read and logged', async () => {
    expect((await ada.call('GET', '/settings')).body).toMatchObject({ four_eyes_ptk: '0' });
    const set = await put({ four_eyes_ptk: '00500' });
    expect([set.status, set.body.four_eyes_ptk]).toEqual([200, '500']);
    expect(Check(SettingsAnswer, set.body)).toBe(true);
    expect((await put({})).body).toEqual(set.body);
    const [entry, ...others] = await auditOn(desk.service, 'platform-settings', 'platform-settings.change');
    expect(entry).toMatchObject({ actor: ada.actor, before: { four_eyes_ptk: '0' }, after: set.body });
    expect(others).toEqual([]);
  });

  test.each([
    [{ four_eyes_ptk: 500 }, 'four_eyes_ptk'],
    [{ four_eyes_ptk: '-1' }, 'four_eyes_ptk'],
    [{ four_eyes_ptk: '1.5' }, 'four_eyes_ptk'],
    [{ four_eyes_ptk: '' }, 'four_eyes_ptk'],
    [{ four_eyes_ptk: null }, 'four_eyes_ptk'],
    [{ four_eyes: '500' }, 'four_eyes'],
    [{ four_eyes_ptk: '500', colour: 'red' }, 'colour'],
  ])('%j is refused, naming %s', async (body, field) => {
    const { status, body: refused } = await put(body);
    expect([status, refused.error, refused.field]).toEqual([400, 'invalid_request', field]);
    expect((await ada.call('GET', '/settings')).body).toMatchObject({ four_eyes_ptk: '0' });
  });
});

/** Each write that waits: asks for one of 100 PTK units, and tells whether it is booked. */
const writes: readonly [
  name: string,
  prepare: () => Promise<{ ask: (who: Staff) => Promise<Answer>; booked: () => Promise<boolean> }>,
][] = [
  [
    'a top-up of a person, without a payment',
    async () => {
      const { user_id } = await addUser(desk.service, 'Will Wallet');
      const path = `/users/${user_id}`;
      const body = { amount_ptk: '100', reference: `waits-${user_id}`, reason };
      return {
        ask: (who) => who.call('POST', `${path}/ptk-top-ups`, body),
        booked: async () => (await ada.call('GET', `${path}/wallet`)).body.available_ptk === '100',
      };
    },
  ],
  [
    'a top-up of a merchant, with a payment',
    async () => {
      const { path } = await shopWith('0');
      const paid = { currency: 'USD', amount: '1.00' };
      const body = { amount_ptk: '100', reference: 'waits', reason, paid };
      return {
        ask: (who) => who.call('POST', `${path}/ptk-top-ups`, body),
        booked: async () => (await ada.call('GET', `${path}/wallet`)).body.available_ptk === '100',
      };
    },
  ],
  [
    'a guarantee from outside',
    async () => {
      const { path } = await shopWith('0');
      const body = { amount_ptk: '100', reference: 'waits' };
      return {
        ask: (who) => who.call('POST', `${path}/guarantee-deposits`, body),
        booked: async () => (await ada.call('GET', `${path}/wallet`)).body.guarantee_ptk === '100',
      };
    },
  ],
  [
    'a write-off',
    async () => {
      const { merchant_no, path } = await shopWith('0');
      await makeOwe(desk.service, merchant_no, { recovery: 100n });
      const body = { amount_ptk: '100', reference: 'waits', reason };
      return {
        ask: (who) => who.call('POST', `${path}/recovery-write-offs`, body),
        booked: async () => (await ada.call('GET', `${path}/wallet`)).body.recovery_ptk === '0',
      };
    },
  ],
  [
    'a withdrawal being paid',
    async () => {
      const { merchant_no, path } = await shopWith('100');
      const at = await requested(merchant_no, { payout_currency: 'JPY', payout_amount: '1' });
      return {
        ask: (who) => who.call('POST', at, { decision: 'paid', reason }),
        booked: async () => (await ada.call('GET', `${path}/wallet`)).body.withdrawal_pending_ptk === '0',
      };
    },
  ],
];

describe.each(writes)('a write that may wait: %s', (_name, prepare) => {
  test('waits at the threshold, once, and is booked once another person approves', async () => {
    const { ask, booked } = await prepare();
    await threshold('100');
    const approval_id = waiting(await ask(ada));
    expect(await booked()).toBe(false);
    expect(waiting(await ask(ada))).toBe(approval_id);
    expect(waiting(await ask(ben))).toBe(approval_id);
    const asked = await approvalOf(approval_id);
    expect(Check(ApprovalAnswer, asked)).toBe(true);
    expect(asked).toMatchObject({ status: 'pending', amount_ptk: '100', asked_by: ada.actor });

    const own = await decide(ada, approval_id, 'approve');
    expect([own.status, own.body.error]).toEqual([403, 'second_person_required']);
    const byKey = await desk.send(`/approvals/${approval_id}/approve`, {});
    expect([byKey.status, byKey.body.error]).toEqual([403, 'second_person_required']);
    expect(await booked()).toBe(false);

    const approved = await decide(ben, approval_id, 'approve');
    expect([approved.status, approved.body.status, approved.body.decided_by]).toEqual([
      200,
      'approved',
      ben.actor,
    ]);
    expect(Check(ApprovedAnswer, approved.body)).toBe(true);
    expect(await booked()).toBe(true);
    const again = await decide(ben, approval_id, 'approve');
    expect([again.status, again.body.error]).toEqual([409, 'already_decided']);
  });

  test('is booked at once below the threshold', async () => {
    const { ask, booked } = await prepare();
    await threshold('101');
    expect((await ask(ada)).status).toBeLessThan(202);
    expect(await booked()).toBe(true);
  });
});

describe('D-625 the larger of a withdrawal’s PTK and its bank payout decides whether it waits', () => {
  const pay = async (payout: { payout_currency: string; payout_amount: string }): Promise<Answer> => {
    const { merchant_no } = await shopWith('100');
    const at = await requested(merchant_no, payout);
    return ada.call('POST', at, { decision: 'paid', reason });
  };

  test('a large payout of little PTK waits', async () => {
    await threshold((1_000n * 100_000_000n).toString());
    const waits = waiting(await pay({ payout_currency: 'USD', payout_amount: '100.00' }));
    expect(await approvalOf(waits)).toMatchObject({ amount_ptk: '100000000000' });
    expect((await pay({ payout_currency: 'USD', payout_amount: '99.99' })).status).toBe(200);
  });

  test('a payout in a currency without a rate waits in any case', async () => {
    await desk.service.admin('PUT', '/currencies/XAU', { decimals: 4, enabled: false });
    await threshold('1000000000000000');
    const waits = waiting(await pay({ payout_currency: 'XAU', payout_amount: '1' }));
    expect(await approvalOf(waits)).toMatchObject({ amount_ptk: null });
  });

  test('D-1198 a payout worth more PTK than can be stored waits in any case', async () => {
    await threshold('101');
    const waits = waiting(await pay({ payout_currency: 'USD', payout_amount: '9'.repeat(35) }));
    expect(await approvalOf(waits)).toMatchObject({ amount_ptk: null });
  });
});

describe('refunds wait by their gross PTK', () => {
  let shop: Shop;
  /** The gross of an order of USD 10.00, at the price of the tests. */
  const gross = 10_000_000_000n;

  beforeAll(async () => {
    shop = await openShop(desk, { guarantee: 900_000_000n });
  });

  test.each([
    ['in PTK', async () => shop.byPtk()],
    ['by card', async () => (await shop.byCard()).order],
  ])('a payment %s', async (_what, paid) => {
    const [below, order] = [await paid(), await paid()];
    await threshold((gross + 1n).toString());
    expect((await shop.refund(below)).status).toBe(201);
    await threshold(gross.toString());
    const approval_id = waiting(await shop.refund(order));
    expect((await shop.detail(order)).refunds).toEqual([]);
    expect(await approvalOf(approval_id)).toMatchObject({
      action: 'order.refund',
      target: `order:${order.order_no}`,
      amount_ptk: gross.toString(),
      request: { order_no: order.order_no },
      reason: 'returned goods',
    });
    const approved = await decide(ada, approval_id, 'approve', {});
    expect([approved.status, (approved.body.result as Json).status]).toEqual([200, 'succeeded']);
    expect((await shop.until(order, 'refunded')).status).toBe('refunded');
  });

  test('the money of a case waits by its amount at the current rate', async () => {
    const order = await shop.unpaid();
    await pay(desk, await startedCard(desk, order), { amount_total: 1_000 });
    const found = await caseOf(desk, order);
    await threshold(gross.toString());
    const approval_id = waiting(await resolve(desk, found, 'refund'));
    expect(await approvalOf(approval_id)).toMatchObject({
      ...{ action: 'case.refund', target: `case:${found.case_id}`, amount_ptk: gross.toString() },
      request: { case_id: found.case_id },
    });
    expect((await caseOf(desk, order)).refund).toBeNull();
    const { status, body } = await decide(ada, approval_id, 'approve');
    expect([status, (body.result as Json).state]).toEqual([200, 'resolved']);
  });

  test('a complaint that gives PTK back to the buyer waits too; its dismissal does not', async () => {
    const order = await shop.byPtk();
    const { complaint_id } = (await shop.complain(order)).body;
    await threshold('1');
    const approval_id = waiting(await shop.decide(complaint_id, { decision: 'confirm' }));
    const other = await shop.decide(complaint_id, { decision: 'confirm', loss_amount: '1' });
    expect([other.status, other.body.error]).toEqual([409, 'reference_conflict']);
    expect((await shop.decide(complaint_id, { decision: 'dismiss' })).status).toBe(200);

    const late = await decide(ada, approval_id, 'approve');
    expect([late.status, late.body.error]).toEqual([409, 'payment_conflict']);
    expect(await approvalOf(approval_id)).toMatchObject({
      status: 'failed',
      decided_by: ada.actor,
      failure: { error: 'payment_conflict' },
    });
  });
});

describe('the decision', () => {
  let path: string;
  let asked: Json;

  beforeEach(async () => {
    ({ path } = await shopWith('0'));
    asked = { amount_ptk: '100', reference: 'waits', reason };
    await threshold('100');
  });
  const ask = (more: Json = {}, who = ada): Promise<Answer> =>
    who.call('POST', `${path}/ptk-top-ups`, { ...asked, ...more });
  const available = async (): Promise<unknown> =>
    (await ada.call('GET', `${path}/wallet`)).body.available_ptk;

  test('ten approvals at the same time book once', async () => {
    const cleo = await addStaff(desk.service, 'Cleo Decides');
    const approval_id = waiting(await ask());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => decide(i % 2 === 0 ? ben : cleo, approval_id, 'approve')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await available()).toBe('100');
  });

  test('ten requests at the same time wait once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(new Set(answers.map(waiting)).size).toBe(1);
  });

  test('a rejection needs a reason, books nothing, and the write can be asked for again', async () => {
    const approval_id = waiting(await ask());
    for (const body of [{}, { reason: ' ' }]) {
      const refused = await decide(ben, approval_id, 'reject', body);
      expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
    }
    const rejected = await decide(ben, approval_id, 'reject', { reason: 'not agreed' });
    expect([rejected.status, rejected.body]).toEqual([200, await approvalOf(approval_id)]);
    expect(rejected.body).toMatchObject({ status: 'rejected', decision_reason: 'not agreed' });
    expect((await decide(ben, approval_id, 'approve')).body.error).toBe('already_decided');
    expect(waiting(await ask())).not.toBe(approval_id);
    expect(await available()).toBe('0');
  });

  test('the one who asked may take the request back', async () => {
    expect((await decide(ada, waiting(await ask()), 'reject')).body.status).toBe('rejected');
  });

  test('what the key asked for, every person may approve', async () => {
    const approval_id = waiting(await desk.send(`${path}/ptk-top-ups`, asked));
    expect((await decide(ada, approval_id, 'approve')).status).toBe(200);
    expect(await available()).toBe('100');
  });

  test('an approval takes no body, or a reason', async () => {
    const approval_id = waiting(await ask());
    const { status, body } = await ben.call('POST', `/approvals/${approval_id}/approve`);
    expect([status, body.decision_reason]).toEqual([200, null]);
  });

  test('another write under the same reference conflicts while one waits', async () => {
    waiting(await ask());
    const other = await ask({ amount_ptk: '101' });
    expect([other.status, other.body.error]).toEqual([409, 'reference_conflict']);
    waiting(await ask({ amount_ptk: '0100', reason: 'told otherwise' }));
  });

  test('what waits keeps waiting when the threshold is raised or switched off', async () => {
    const approval_id = waiting(await ask());
    await threshold('0');
    expect(waiting(await ask())).toBe(approval_id);
    expect((await ask({ reference: 'other' })).status).toBe(201);
    expect((await decide(ben, approval_id, 'approve')).status).toBe(200);
    expect(await available()).toBe('200');
  });

  test('once approved, the same request is answered as done', async () => {
    await decide(ben, waiting(await ask()), 'approve');
    const again = await ask();
    expect([again.status, again.body.available_ptk]).toEqual([200, '100']);
  });

  test('the errors of a write are answered before it waits', async () => {
    const refused = await ask({ paid: { currency: 'XXX', amount: '1' } });
    expect([refused.status, refused.body.field]).toEqual([400, 'paid.currency']);
    const debt = await ada.call('POST', `${path}/recovery-write-offs`, asked);
    expect([debt.status, debt.body.error]).toEqual([422, 'amount_exceeds_debt']);
  });

  test.each(['approve', 'reject'] as const)('an unknown approval: %s is 404', async (how) => {
    expect((await decide(ben, 'ap_nothing', how)).body.error).toBe('not_found');
  });
});

describe('D-1367 who may only decide cases', () => {
  let sue: Staff;
  let key: string;

  beforeAll(async () => {
    sue = await addStaff(desk.service, 'Sue Support', 'support');
    const wanted = { name: 'support', role: 'support', expires_at: '2099-01-01T00:00:00Z' };
    key = String((await ada.call('POST', '/keys', wanted)).body.key);
  });
  const byKey = (path: string, body: unknown): Promise<Answer> =>
    desk.service.send('POST', `/admin/v1${path}`, { headers: { authorization: `Bearer ${key}` }, body });

  async function closing(): Promise<{ path: string; body: Json }> {
    const { found } = await receivedWrongly(desk, await openShop(desk), 500);
    await threshold('1');
    return { path: `/cases/${found.case_id}/resolution`, body: { action: 'refund', reason } };
  }

  test('takes back what they asked for, by session and by key', async () => {
    const { path, body } = await closing();
    const own = await decide(sue, waiting(await sue.call('POST', path, body)), 'reject');
    expect([own.status, own.body.status]).toEqual([200, 'rejected']);
    const asked = waiting(await byKey(path, body));
    expect((await byKey(`/approvals/${asked}/reject`, { reason })).body.status).toBe('rejected');
  });

  test('rejects nothing that another has asked for', async () => {
    const { path, body } = await closing();
    const waits = waiting(await ada.call('POST', path, body));
    for (const refused of [
      await decide(sue, waits, 'reject'),
      await byKey(`/approvals/${waits}/reject`, { reason }),
      await decide(sue, waits, 'approve'),
    ])
      expect([refused.status, refused.body.error]).toEqual([403, 'role_required']);
    expect(await approvalOf(waits)).toMatchObject({ status: 'pending' });
  });
});

describe('what changed meanwhile', () => {
  test('a balance that is too low leaves the approval pending, and it can succeed later', async () => {
    const { merchant_no, path } = await shopWith('100');
    const at = await requested(merchant_no, { payout_currency: 'JPY', payout_amount: '1' });
    await threshold('100');
    const approval_id = waiting(await ada.call('POST', at, { decision: 'paid', reason }));
    await makeOwe(desk.service, merchant_no, { recovery: 5n });
    const owing = await decide(ben, approval_id, 'approve');
    expect([owing.status, owing.body.error]).toEqual([422, 'recovery_outstanding']);
    expect(await approvalOf(approval_id)).toMatchObject({ status: 'pending', failure: null });
    await ada.call('POST', `${path}/recovery-repayments`, { amount_ptk: '5', reference: 'repaid' });
    expect((await decide(ben, approval_id, 'approve')).status).toBe(200);
  });

  test('D-1197 a provider that does not answer leaves the approval pending', async () => {
    const { found } = await receivedWrongly(desk, await openShop(desk), 500);
    await refuseNextRefund(desk);
    await resolve(desk, found, 'refund');
    await threshold('1');
    const approval_id = waiting(await resolve(desk, found, 'repay'));
    await desk.sim('POST', '/faults', { endpoint: 'refunds.list', mode: 'status', status: 503 });
    const unclear = await decide(ada, approval_id, 'approve');
    expect([unclear.status, unclear.body.error]).toEqual([409, 'payment_conflict']);
    expect(await approvalOf(approval_id)).toMatchObject({ status: 'pending', failure: null });
    expect((await decide(ada, approval_id, 'approve')).status).toBe(200);
  });

  test('a withdrawal that was rejected meanwhile ends the approval', async () => {
    const { merchant_no } = await shopWith('100');
    const at = await requested(merchant_no, { payout_currency: 'JPY', payout_amount: '1' });
    await threshold('100');
    const approval_id = waiting(await ada.call('POST', at, { decision: 'paid', reason }));
    expect((await ada.call('POST', at, { decision: 'reject', reason })).status).toBe(200);
    expect((await decide(ben, approval_id, 'approve')).status).toBe(409);
    expect(await approvalOf(approval_id)).toMatchObject({ status: 'failed' });
    expect(await walletOf(desk.service, merchant_no)).toEqual({ available_ptk: '100' });
  });
});

test('the audit log names both people', async () => {
  const { merchant_no, path } = await shopWith('0');
  await threshold('100');
  const asked = { amount_ptk: '100', reference: 'waits', reason };
  const approval_id = waiting(await ada.call('POST', `${path}/ptk-top-ups`, asked));
  await decide(ben, approval_id, 'approve', { reason: 'seen at the bank' });
  const target = `approval:${approval_id}`;
  expect(await auditOn(desk.service, target, 'approval.request')).toMatchObject([
    { actor: ada.actor, reason, before: null, after: { status: 'pending', amount_ptk: '100' } },
  ]);
  expect(await auditOn(desk.service, target, 'approval.approve')).toMatchObject([
    { actor: ben.actor, reason: 'seen at the bank', after: { asked_by: ada.actor, decided_by: ben.actor } },
  ]);
  expect(await auditOn(desk.service, `merchant:${merchant_no}`, 'merchant.top-up')).toMatchObject([
    {
      actor: ada.actor,
      reason,
      after: { amount_ptk: '100', approval: { approval_id, asked_by: ada.actor, approved_by: ben.actor } },
    },
  ]);
});

test('the list shows what waits, and is saved as CSV', async () => {
  await topUp(desk.service, desk.platform.buyer, 1n);
  const { items } = (await ada.call<{ items: Json[] }>('GET', '/approvals?status=pending&limit=100')).body;
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['pending']));
  expect((await ada.call('GET', '/approvals?status=gone')).body.field).toBe('status');
  const csv = await ada.call('GET', '/approvals.csv?status=approved');
  expect(csv.text).toMatch(/"ap_[^\n]*","approved","order.refund"/);
});

describe('the one who asked is gone', () => {
  /** Someone who has asked for a top-up that waits. */
  async function asker(role = 'finance'): Promise<{ who: Staff; waits: string; user: string }> {
    const who = await addStaff(desk.service, 'Gil Gone', role);
    const { path } = await shopWith('0');
    const body = { amount_ptk: '100', reference: 'gone', reason };
    await threshold('100');
    const waits = waiting(await who.call('POST', `${path}/ptk-top-ups`, body));
    return { who, waits, user: `/users/${who.actor.slice('user:'.length)}` };
  }

  test.each([
    ['is disabled', { disabled: true }],
    ['loses the role', { role: 'user' }],
    ['gets another role', { role: 'support' }],
  ])('what waits is rejected when the asker %s', async (_what, change) => {
    const { waits, user } = await asker();
    expect((await ada.call('PATCH', user, { ...change, reason: 'has left' })).status).toBe(200);
    expect(await approvalOf(waits)).toMatchObject({
      ...{ status: 'rejected', decided_by: ada.actor, decision_reason: 'has left' },
    });
    const refused = await decide(ben, waits, 'approve');
    expect([refused.status, refused.body.error]).toEqual([409, 'already_decided']);
    expect(await auditOn(desk.service, `approval:${waits}`, 'approval.reject')).toHaveLength(1);
  });

  test('what waits stays when the asker is renamed or promoted', async () => {
    const { waits, user } = await asker();
    await ada.call('PATCH', user, { name: 'Gil Golightly', reason: 'married' });
    await ada.call('PATCH', user, { role: 'admin', reason: 'promoted' });
    expect((await decide(ben, waits, 'approve')).status).toBe(200);
  });

  test.each([
    ['the person was disabled', sql`disabled_at = now()`],
    ['the role was taken away', sql`role = 'user'`],
    ['the role became another', sql`role = 'support'`],
  ])('a request that was stored after %s fails when it is approved', async (_what, change) => {
    const { who, waits } = await asker();
    await beside(desk.service, (db) =>
      db.query(sql`UPDATE users SET ${change} WHERE user_id = ${who.actor.slice('user:'.length)}`),
    );
    const refused = await decide(ben, waits, 'approve');
    expect([refused.status, refused.body.error]).toEqual([403, 'role_required']);
    expect(await approvalOf(waits)).toMatchObject({ status: 'failed', failure: { error: 'role_required' } });
  });
});
