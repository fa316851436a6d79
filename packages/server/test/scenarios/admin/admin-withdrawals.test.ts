import { WithdrawalAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { ptk } from '../../../src/base/money.ts';
import { exchange, merchantAvailable, merchantRecovery } from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { addMerchant, type Person, setUpPlatform } from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { auditOn, beside, linesOn, makeOwe, walletOf } from '../../support/desks/wallets.ts';

let service: TestService;
let owner: Person;

beforeAll(async () => {
  service = await startTestService();
  ({ owner } = await setUpPlatform(service));
});
afterAll(() => service.stop());

const headers = { authorization: 'Bearer test-administration-key' };
const call = (path: string, body: unknown): Promise<Answer> =>
  service.send('POST', `/admin/v1${path}`, { body, headers });

/** A merchant of a test's own with PTK available, and its withdrawals. */
async function shop(available = '100') {
  const { merchant_no } = await addMerchant(service, owner);
  if (available !== '0') {
    await service.admin('POST', `/merchants/${merchant_no}/ptk-top-ups`, {
      amount_ptk: available,
      reference: 'start',
      reason: 'to start with',
    });
  }
  const valid = {
    merchant_no,
    amount_ptk: '60',
    reference: 'to-the-bank',
    payout_currency: 'USD',
    payout_amount: '5.90',
  };
  return {
    merchant_no,
    wallet: () => walletOf(service, merchant_no),
    request: (body: Json = {}) => call('/withdrawals', { ...valid, ...body }),
    pending: async (): Promise<string> =>
      (await service.admin<{ withdrawal_id: string }>('POST', '/withdrawals', valid)).withdrawal_id,
  };
}

const decide = (withdrawal_id: string, decision: string, more: Json = { reason: 'as agreed' }) =>
  call(`/withdrawals/${withdrawal_id}/decision`, { decision, ...more });

const requested = 'P13 m:available > m:withdrawal_pending:ID 60 PTK';
const outcomes = [
  {
    decision: 'paid',
    status: 'paid',
    wallet: { available_ptk: '40' },
    lines: [requested, 'P13s m:withdrawal_pending:ID > fx:PTK 60 PTK', 'P13s fx:USD > bank:USD 590 USD'],
  },
  {
    decision: 'reject',
    status: 'rejected',
    wallet: { available_ptk: '100' },
    lines: [requested, 'P13r m:withdrawal_pending:ID > m:available 60 PTK'],
  },
];

describe('a withdrawal', () => {
  test('P13 sets the money aside, is audited, and waits for a decision', async () => {
    const { merchant_no, request, wallet } = await shop();
    const { status, body } = await request();
    expect(status).toBe(201);
    expect(Check(WithdrawalAnswer, body)).toBe(true);
    expect(body).toMatchObject({
      merchant_no,
      reference: 'to-the-bank',
      amount_ptk: '60',
      payout_currency: 'USD',
      payout_amount: '5.90',
      status: 'pending',
      decided_at: null,
    });
    const withdrawal_id = String(body.withdrawal_id);
    expect(withdrawal_id).toMatch(/^wd_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await wallet()).toEqual({ available_ptk: '40', withdrawal_pending_ptk: '60' });
    expect(await linesOn(service, withdrawal_id)).toEqual([requested.replace('ID', withdrawal_id)]);
    expect(await auditOn(service, `withdrawal:${withdrawal_id}`, 'withdrawal.request')).toEqual([
      expect.objectContaining({ actor: 'environment key (bootstrap)', before: null, after: body }),
    ]);
  });

  test.each(outcomes)('P13s P13r decided as $decision', async ({ decision, status, wallet: left, lines }) => {
    const { pending, wallet } = await shop();
    const withdrawal_id = await pending();
    await service.advance(60);
    const answer = await decide(withdrawal_id, decision);
    expect([answer.status, answer.body.status]).toEqual([200, status]);
    expect(Check(WithdrawalAnswer, answer.body)).toBe(true);
    expect(answer.body.decided_at).not.toBeNull();
    expect(await wallet()).toEqual(left);
    expect(await linesOn(service, withdrawal_id)).toEqual(
      lines.map((line) => line.replace('ID', withdrawal_id)),
    );
    expect(await auditOn(service, `withdrawal:${withdrawal_id}`, 'withdrawal.decide')).toEqual([
      expect.objectContaining({
        reason: 'as agreed',
        before: expect.objectContaining({ status: 'pending', decided_at: null }) as unknown,
        after: answer.body,
      }),
    ]);
  });

  test.each(outcomes.flatMap(({ decision }) => ['paid', 'reject'].map((second) => [decision, second])))(
    'R-144 decided as %s, a second decision (%s) is refused and posts nothing',
    async (first, second) => {
      const { pending, wallet } = await shop();
      const withdrawal_id = await pending();
      await decide(withdrawal_id, first);
      const [before, lines] = [await wallet(), await linesOn(service, withdrawal_id)];
      const refused = await decide(withdrawal_id, second);
      expect([refused.status, refused.body.error]).toEqual([409, 'payment_conflict']);
      expect(await wallet()).toEqual(before);
      expect(await linesOn(service, withdrawal_id)).toEqual(lines);
      expect(await auditOn(service, `withdrawal:${withdrawal_id}`, 'withdrawal.decide')).toHaveLength(1);
    },
  );

  test('R-144 of ten concurrent opposite decisions, one counts', async () => {
    const { pending, wallet } = await shop();
    const withdrawal_id = await pending();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => decide(withdrawal_id, i % 2 === 0 ? 'paid' : 'reject')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    const winner = answers.find(({ status }) => status === 200)?.body.status;
    expect(await wallet()).toEqual({ available_ptk: winner === 'paid' ? '40' : '100' });
  });
});

describe('R-144 a withdrawal happens once for each reference of its merchant', () => {
  test('ten concurrent identical requests make one withdrawal, and all return it', async () => {
    const { request, wallet } = await shop();
    const answers = await Promise.all(Array.from({ length: 10 }, () => request()));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    const [first] = answers;
    expect(first?.body.withdrawal_id).toMatch(/^wd_/);
    for (const { body } of answers) expect(body).toEqual(first?.body);
    expect(await wallet()).toEqual({ available_ptk: '40', withdrawal_pending_ptk: '60' });
    const target = `withdrawal:${String(first?.body.withdrawal_id)}`;
    expect(await auditOn(service, target, 'withdrawal.request')).toHaveLength(1);
  });

  test('an equivalent request returns the withdrawal and its decision', async () => {
    const { request, pending } = await shop();
    const withdrawal_id = await pending();
    expect((await request({ amount_ptk: '060', payout_amount: '5.9' })).status).toBe(200);
    await decide(withdrawal_id, 'reject');
    const again = await request();
    expect([again.status, again.body.withdrawal_id, again.body.status]).toEqual([
      200,
      withdrawal_id,
      'rejected',
    ]);
  });

  test.each([
    { amount_ptk: '59' },
    { payout_amount: '5.91' },
    { payout_currency: 'KWD' },
    { payout_currency: 'JPY', payout_amount: '590' },
  ])('with other parameters the reference conflicts: %j', async (other) => {
    const { request, wallet } = await shop('1000');
    await request();
    const refused = await request(other);
    expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
    expect(await wallet()).toEqual({ available_ptk: '940', withdrawal_pending_ptk: '60' });
  });

  test('ten concurrent requests with different parameters make one; nine conflict or repeat', async () => {
    const { request, wallet } = await shop();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => request({ payout_amount: i % 2 === 0 ? '1.00' : '2.00' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(4).fill(200),
      201,
      ...Array<number>(5).fill(409),
    ]);
    expect(await wallet()).toEqual({ available_ptk: '40', withdrawal_pending_ptk: '60' });
  });

  test('another merchant uses it for its own', async () => {
    const [one, other] = await Promise.all([shop(), shop()]);
    expect((await one.request()).status).toBe(201);
    expect((await other.request({ amount_ptk: '7' })).status).toBe(201);
  });
});

describe('R-145 D-086 only available funds can be withdrawn', () => {
  test.each([
    ['61', '60', 422, { available_ptk: '60' }],
    ['60', '60', 201, { withdrawal_pending_ptk: '60' }],
    ['1', '0', 422, {}],
  ])('%s of %s: %i', async (amount_ptk, available, status, left) => {
    const { request, wallet } = await shop(available);
    const answer = await request({ amount_ptk });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.error).toBe('insufficient_balance');
    expect(await wallet()).toEqual(left);
  });

  test('the guarantee and pending withdrawals are not available', async () => {
    const { merchant_no, request, pending, wallet } = await shop();
    await service.admin('POST', `/merchants/${merchant_no}/guarantee-deposits`, {
      amount_ptk: '1000',
      reference: 'g',
    });
    await pending();
    const refused = await request({ amount_ptk: '41', reference: 'second' });
    expect([refused.status, refused.body.error]).toEqual([422, 'insufficient_balance']);
    expect(await wallet()).toEqual({
      available_ptk: '40',
      guarantee_ptk: '1000',
      withdrawal_pending_ptk: '60',
    });
  });

  test('of ten withdrawals that the balance covers once, one is made and nothing is left of the others', async () => {
    const { merchant_no, request, wallet } = await shop();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => request({ reference: `rival-${i}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(422)]);
    expect(await wallet()).toEqual({ available_ptk: '40', withdrawal_pending_ptk: '60' });
    const { items } = await service.admin<{ items: Json[] }>('GET', '/withdrawals?limit=100');
    expect(items.filter((item) => item.merchant_no === merchant_no)).toHaveLength(1);
  });
});

describe('D-086 while recovery is outstanding', () => {
  test('no withdrawal is accepted, and its reference stays free for when all is repaid', async () => {
    const { merchant_no, request, wallet } = await shop();
    await makeOwe(service, merchant_no, { recovery: 1n });
    const refused = await request();
    expect([refused.status, refused.body.error]).toEqual([422, 'recovery_outstanding']);
    expect(await wallet()).toEqual({ available_ptk: '100', recovery_ptk: '1' });

    const repaid = { amount_ptk: '1', reference: 'r' };
    await service.admin('POST', `/merchants/${merchant_no}/recovery-repayments`, repaid);
    expect((await request()).status).toBe(201);
  });

  test('D-1285 a merchant without a hold repays it from the wallet, and can withdraw the rest', async () => {
    const { merchant_no, request, wallet } = await shop();
    await makeOwe(service, merchant_no, { recovery: 20n });
    const repaid = { amount_ptk: '20', reference: 'from-the-wallet', source: 'available' };
    await service.admin('POST', `/merchants/${merchant_no}/recovery-repayments`, repaid);
    expect(await wallet()).toEqual({ available_ptk: '80' });
    const { findings } = await service.admin<{ findings: Json[] }>('GET', '/ledger/verification');
    expect(findings.filter(({ subject }) => subject === `recovery-repayment:${repaid.reference}`)).toEqual(
      [],
    );
    expect((await request({ amount_ptk: '80' })).status).toBe(201);
  });

  test('a withdrawal waits for a loss that is being booked, and sees the remaining balance', async () => {
    const { merchant_no, request, wallet } = await shop();
    const merchant_id = merchantIdOf(merchant_no) ?? '';
    // A loss of two, one of which the wallet covers.
    const transfers = [merchantAvailable(), merchantRecovery()].map((from) =>
      transfer(from, exchange(ptk), 1n),
    );
    const { book } = post(
      [{ merchant_id, subject: 'made-to-owe:a-loss', posting: 'P3', transfers }],
      new Date(0),
    );
    const { refused } = await beside(service, (db) =>
      db.transaction(async (tx) => {
        await tx.write(book);
        const refused = request();
        await untilBlocked(db, tx);
        return { refused };
      }),
    );
    const answer = await refused;
    expect([answer.status, answer.body.error]).toEqual([422, 'recovery_outstanding']);
    expect(await wallet()).toEqual({ available_ptk: '99', recovery_ptk: '1' });
  });

  test('one that was asked for before is not paid out; it can be rejected', async () => {
    const { merchant_no, pending, wallet, request } = await shop();
    const withdrawal_id = await pending();
    await makeOwe(service, merchant_no, { recovery: 1n });
    const refused = await decide(withdrawal_id, 'paid');
    expect([refused.status, refused.body.error]).toEqual([422, 'recovery_outstanding']);
    expect((await request()).body).toMatchObject({ withdrawal_id, status: 'pending' });
    expect((await decide(withdrawal_id, 'reject')).status).toBe(200);
    expect(await wallet()).toEqual({ available_ptk: '100', recovery_ptk: '1' });
  });

  test('one that was asked for before is paid out once the rest is written off', async () => {
    const { merchant_no, pending, wallet } = await shop();
    const withdrawal_id = await pending();
    await makeOwe(service, merchant_no, { recovery: 1n });
    const body = { amount_ptk: '1', reference: 'w', reason: 'too little to chase' };
    await service.admin('POST', `/merchants/${merchant_no}/recovery-write-offs`, body);
    expect((await decide(withdrawal_id, 'paid')).status).toBe(200);
    expect(await wallet()).toEqual({ available_ptk: '40' });
  });
});

describe('refusals', () => {
  test.each([
    [{ merchant_no: undefined }, 'merchant_no'],
    [{ merchant_no: 'mr_00000000000000000000000001' }, 'merchant_no'],
    [{ merchant_no: 'nobody' }, 'merchant_no'],
    [{ amount_ptk: undefined }, 'amount_ptk'],
    [{ amount_ptk: '0' }, 'amount_ptk'],
    [{ amount_ptk: '-1' }, 'amount_ptk'],
    [{ amount_ptk: '0.5' }, 'amount_ptk'],
    [{ amount_ptk: 60 }, 'amount_ptk'],
    [{ reference: undefined }, 'reference'],
    [{ reference: 'two words' }, 'reference'],
    [{ payout_currency: undefined }, 'payout_currency'],
    [{ payout_currency: 'XXX' }, 'payout_currency'],
    [{ payout_currency: 'PTK' }, 'payout_currency'],
    [{ payout_amount: undefined }, 'payout_amount'],
    [{ payout_amount: '0' }, 'payout_amount'],
    [{ payout_amount: '-5' }, 'payout_amount'],
    [{ payout_amount: '5.901' }, 'payout_amount'],
    [{ payout_amount: 5.9 }, 'payout_amount'],
    [{ payout_currency: 'JPY', payout_amount: '5.90' }, 'payout_amount'],
  ])('a request with %j, naming %s', async (body, field) => {
    const { request, wallet } = await shop();
    const refused = await request(body);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await wallet()).toEqual({ available_ptk: '100' });
  });

  test.each([
    ['paid', {}, 'reason'],
    ['reject', { reason: ' ' }, 'reason'],
    ['approve', { reason: 'r' }, 'decision'],
  ])('a decision %s with %j, naming %s', async (decision, more, field) => {
    const { pending, wallet } = await shop();
    const refused = await decide(await pending(), decision, more);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await wallet()).toEqual({ available_ptk: '40', withdrawal_pending_ptk: '60' });
  });

  test('D-1450 one is read by its id, as it is in the list; another is 404', async () => {
    const { pending } = await shop();
    const withdrawal_id = await pending();
    const { items } = await service.admin<{ items: Json[] }>('GET', '/withdrawals?limit=1');
    expect(await service.admin('GET', `/withdrawals/${withdrawal_id}`)).toEqual(items[0]);
    expect((await service.send('GET', '/admin/v1/withdrawals/wd_1', { headers })).status).toBe(404);
  });

  test('a decision on a withdrawal that does not exist is 404', async () => {
    const answer = await decide('wd_00000000000000000000000000', 'paid');
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });

  test('without the administration key, 401', async () => {
    for (const path of ['/withdrawals', '/withdrawals/wd_1/decision']) {
      expect((await service.send('POST', `/admin/v1${path}`, { body: {} })).status).toBe(401);
    }
  });
});

describe('the list', () => {
  test('shows the newest first, page by page, all or those of one status', async () => {
    const { request, merchant_no } = await shop('1000');
    const made: unknown[] = [];
    for (const reference of ['a', 'b', 'c']) made.unshift((await request({ reference })).body.withdrawal_id);
    await decide(String(made[1]), 'paid');
    const list = async (query: string) =>
      service.admin<{ items: Json[]; next_cursor?: string }>('GET', `/withdrawals?${query}`);
    const ids = (items: Json[]) =>
      items.filter((item) => item.merchant_no === merchant_no).map(({ withdrawal_id }) => withdrawal_id);

    const first = await list('limit=2');
    expect(ids(first.items)).toEqual(made.slice(0, 2));
    const next = await list(`limit=2&cursor=${first.next_cursor ?? ''}`);
    expect(ids(next.items)).toEqual(made.slice(2));
    expect(ids((await list('status=pending&limit=100')).items)).toEqual([made[0], made[2]]);
    expect(ids((await list('status=paid')).items)).toEqual([made[1]]);
    // What waits is a queue: the longest wait first, page by page.
    const queue = await list('status=pending&order=oldest&limit=100');
    expect(ids(queue.items)).toEqual([made[2], made[0]]);
    const begun = await list('order=oldest&limit=1');
    const rest = await list(`order=oldest&limit=100&cursor=${begun.next_cursor ?? ''}`);
    expect(ids([...begun.items, ...rest.items])).toEqual(made.toReversed());
  });

  test.each([
    ['status=open', 'status'],
    ['order=age', 'order'],
    ['limit=0', 'limit'],
    ['cursor=none', 'cursor'],
  ])('%s is refused', async (query, field) => {
    const answer = await service.send('GET', `/admin/v1/withdrawals?${query}`, { headers });
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  });
});

test('R-145 the database itself keeps decided withdrawals decided and amounts positive', async () => {
  const { pending } = await shop();
  const withdrawal_id = await pending();
  for (const change of [
    sql`status = 'paid'`,
    sql`status = 'done', decided_at = requested_at`,
    sql`amount_ptk = 0`,
    sql`payout_amount = -1`,
  ]) {
    const damage = beside(service, (db) =>
      db.query(sql`UPDATE withdrawals SET ${change} WHERE withdrawal_id = ${withdrawal_id}`),
    );
    await expect(damage).rejects.toMatchObject({ code: '23514' });
  }
});
