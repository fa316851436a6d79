import { MerchantWalletAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { addMerchant, addUser, type Person } from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let person: Person;
let merchant_no: string;

beforeAll(async () => {
  service = await startTestService();
  await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
  person = await addUser(service, 'Tina Top-up');
  ({ merchant_no } = await addMerchant(service, person));
});
afterAll(() => service.stop());

const headers = { authorization: 'Bearer test-administration-key' };
const reason = 'paid in cash';
const post = (path: string, body: Json): Promise<Answer> =>
  service.send('POST', `/admin/v1${path}`, { body: { reason, ...body }, headers });

/** A wallet of its own for each test, of either kind. */
const wallets = [
  {
    kind: 'user',
    postings: { paid: 'P14', issued: 'P14i' },
    open: async () => `/users/${(await addUser(service, 'Will Wallet')).user_id}`,
  },
  {
    kind: 'merchant',
    postings: { paid: 'P20', issued: 'P20i' },
    open: async () => `/merchants/${(await addMerchant(service, person)).merchant_no}`,
  },
] as const;

const available = async (path: string): Promise<unknown> =>
  (await service.admin('GET', `${path}/wallet`)).available_ptk;

async function transfers(reference: string): Promise<Json[]> {
  const db = openDatabase({ url: service.database.url, max: 1 });
  try {
    return await db.query(
      sql`SELECT posting, debit_account, credit_account, currency, amount::text AS amount FROM ledger_transfers
        WHERE subject = ${`topup:${reference}`} ORDER BY leg`,
    );
  } finally {
    await db.close();
  }
}

/** The latest top-ups of one wallet in the audit log. */
const audited = async (kind: string, wallet: string): Promise<Json[]> =>
  (await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100')).items.filter(
    ({ action, target }) =>
      action === `${kind}.top-up` && target === `${kind}:${wallet.split('/').at(-1) ?? ''}`,
  );

describe.each(wallets)("a $kind's top-up", ({ kind, postings, open }) => {
  test('posts PTK against money at the bank where something was paid', async () => {
    const wallet = await open();
    const reference = `paid-${kind}`;
    const body = { amount_ptk: '12345678901', reference, paid: { currency: 'USD', amount: '12.34' } };
    const answer = await post(`${wallet}/ptk-top-ups`, body);
    expect([answer.status, answer.body.available_ptk]).toEqual([201, '12345678901']);
    expect(await transfers(reference)).toMatchObject([
      {
        posting: postings.paid,
        debit_account: 'bank:USD',
        credit_account: 'fx:USD',
        currency: 'USD',
        amount: '1234',
      },
      { posting: postings.paid, debit_account: 'fx:PTK', currency: 'PTK', amount: '12345678901' },
    ]);
    expect(await audited(kind, wallet)).toMatchObject([{ after: body, before: null, reason }]);
  });

  test('issues PTK where nothing was paid', async () => {
    const wallet = await open();
    const reference = `issued-${kind}`;
    await post(`${wallet}/ptk-top-ups`, { amount_ptk: '7', reference });
    expect(await available(wallet)).toBe('7');
    expect(await transfers(reference)).toMatchObject([
      { posting: postings.issued, debit_account: 'issue:PTK', currency: 'PTK', amount: '7' },
    ]);
  });

  test('happens once for each reference, and is logged once', async () => {
    const wallet = await open();
    const body = { amount_ptk: '100', reference: `again-${kind}` };
    const first = await post(`${wallet}/ptk-top-ups`, body);
    await post(`${wallet}/ptk-top-ups`, { amount_ptk: '5', reference: `more-${kind}` });
    const again = await post(`${wallet}/ptk-top-ups`, body);
    expect([first.status, first.body.available_ptk]).toEqual([201, '100']);
    expect([again.status, again.body.available_ptk]).toEqual([200, '105']);
    expect((await audited(kind, wallet)).length).toBe(2);
  });

  test.each([
    { amount_ptk: '101' },
    { amount_ptk: '100', paid: { currency: 'USD', amount: '1' } },
    { amount_ptk: '100', paid: { currency: 'USD', amount: '2.00' } },
  ])('conflicts where the reference came with other parameters: %j', async (other) => {
    const wallet = await open();
    const reference = `conflict-${kind}-${JSON.stringify(other)}`.replaceAll(/[^\w-]/g, '');
    await post(`${wallet}/ptk-top-ups`, {
      amount_ptk: '100',
      reference,
      ...(other.paid?.amount === '1' ? {} : { paid: { currency: 'USD', amount: '1' } }),
    });
    const refused = await post(`${wallet}/ptk-top-ups`, { reference, ...other });
    expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
    expect(await available(wallet)).toBe('100');
  });

  test('the same amount written otherwise is the same top-up', async () => {
    const wallet = await open();
    const reference = `spelling-${kind}`;
    const written = (amount_ptk: string, amount: string): Json => ({
      amount_ptk,
      reference,
      paid: { currency: 'USD', amount },
    });
    expect((await post(`${wallet}/ptk-top-ups`, written('100', '1.5'))).status).toBe(201);
    expect((await post(`${wallet}/ptk-top-ups`, written('0100', '1.500'))).status).toBe(200);
  });

  test('ten concurrent calls with one reference post once', async () => {
    const wallet = await open();
    const body = { amount_ptk: '1000', reference: `parallel-${kind}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(`${wallet}/ptk-top-ups`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.available_ptk))).toEqual(new Set(['1000']));
    expect(await available(wallet)).toBe('1000');
  });

  test('ten concurrent calls with one reference and different parameters post one of them', async () => {
    const wallet = await open();
    const reference = `rivals-${kind}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        post(`${wallet}/ptk-top-ups`, {
          amount_ptk: '1000',
          reference,
          ...(i % 2 === 0 ? {} : { paid: { currency: 'USD', amount: '1' } }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(4).fill(200),
      201,
      ...Array<number>(5).fill(409),
    ]);
    expect(await available(wallet)).toBe('1000');
  });

  test.each([
    [{ reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: 100, reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: '0', reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: '-1', reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: '1.5', reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: '1'.repeat(39), reference: 'r' }, 'amount_ptk'],
    [{ amount_ptk: '1', reference: 'r', reason: ' ' }, 'reason'],
    [{ amount_ptk: '1', reference: 'r', reason: undefined }, 'reason'],
    [{ amount_ptk: '1', reference: 'r', reason: 7 }, 'reason'],
    [{ amount_ptk: '1' }, 'reference'],
    [{ amount_ptk: '1', reference: '' }, 'reference'],
    [{ amount_ptk: '1', reference: 'x'.repeat(192) }, 'reference'],
    [{ amount_ptk: '1', reference: 'r', paid: {} }, 'paid.currency'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'USD' } }, 'paid.amount'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'XXX', amount: '1' } }, 'paid.currency'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'PTK', amount: '1' } }, 'paid.currency'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'USD', amount: '0' } }, 'paid.amount'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'USD', amount: '1.001' } }, 'paid.amount'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'USD', amount: '-1' } }, 'paid.amount'],
    [{ amount_ptk: '1', reference: 'r', paid: { currency: 'USD', amount: 1 } }, 'paid.amount'],
  ])('%j is refused, naming %s', async (body, field) => {
    const wallet = await open();
    const refused = await post(`${wallet}/ptk-top-ups`, body);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await available(wallet)).toBe('0');
    expect(await transfers('r')).toEqual([]);
  });
});

test('38 digits of PTK are exact', async () => {
  const { user_id } = await addUser(service, 'Rich Person');
  const amount_ptk = '98765432109876543210987654321098765432';
  const answer = await post(`/users/${user_id}/ptk-top-ups`, { amount_ptk, reference: 'rich' });
  expect(answer.body).toEqual({ available_ptk: amount_ptk });
});

test("one reference is one top-up among all users; each merchant's book has its own", async () => {
  const [one, other] = await Promise.all([addUser(service, 'One'), addUser(service, 'Other')]);
  const body = { amount_ptk: '100', reference: 'shared' };
  expect((await post(`/users/${one.user_id}/ptk-top-ups`, body)).status).toBe(201);
  const refused = await post(`/users/${other.user_id}/ptk-top-ups`, body);
  expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
  for (const owner of [one, other]) {
    const merchant = await addMerchant(service, owner);
    expect((await post(`/merchants/${merchant.merchant_no}/ptk-top-ups`, body)).status).toBe(201);
  }
});

test('ten concurrent top-ups of ten users under one reference: one succeeds, nine conflict', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, (_, i) => addUser(service, `Rival ${i}`)));
  const body = { amount_ptk: '100', reference: 'one-for-all' };
  const answers = await Promise.all(people.map(({ user_id }) => post(`/users/${user_id}/ptk-top-ups`, body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  const held = await Promise.all(people.map(({ user_id }) => available(`/users/${user_id}`)));
  expect(held.sort()).toEqual([...Array<string>(9).fill('0'), '100']);
});

test("a merchant's wallet has all nine members", async () => {
  const wallet = await service.admin('GET', `/merchants/${merchant_no}/wallet`);
  expect(Check(MerchantWalletAnswer, wallet)).toBe(true);
  expect(wallet).toEqual({
    available_ptk: '0',
    held_ptk: '0',
    frozen_ptk: '0',
    guarantee_ptk: '0',
    fee_reserved_ptk: '0',
    credit_limit_ptk: '0',
    credit_drawn_ptk: '0',
    recovery_ptk: '0',
    withdrawal_pending_ptk: '0',
  });
});

test.each([
  ['GET', '/users/6f0e6d2e-0d5f-4f6b-9d3b-0d7ad9f5b3a1/wallet'],
  ['GET', '/users/nobody/wallet'],
  ['POST', '/users/6f0e6d2e-0d5f-4f6b-9d3b-0d7ad9f5b3a1/ptk-top-ups'],
  ['POST', '/users/nobody/ptk-top-ups'],
  ['GET', '/merchants/mr_00000000000000000000000001/wallet'],
  ['GET', '/merchants/nobody/wallet'],
  ['POST', '/merchants/mr_00000000000000000000000001/ptk-top-ups'],
  ['POST', '/merchants/mr_!/ptk-top-ups'],
])('%s %s is 404', async (method, path) => {
  const body = method === 'POST' ? { body: { amount_ptk: '1', reference: 'nobody', reason } } : {};
  const answer = await service.send(method, `/admin/v1${path}`, { headers, ...body });
  expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
});
