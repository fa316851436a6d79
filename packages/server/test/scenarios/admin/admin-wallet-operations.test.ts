import { MerchantWalletAnswer, PayoutAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { topUp } from '../../../src/ledger/wallets/top-up.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addCardChannel,
  addMerchant,
  type Person,
  addUser,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { auditOn, beside, linesOn, makeOwe, transfersOn, walletOf } from '../../support/desks/wallets.ts';

let service: TestService;
let owner: Person;
let ptk_channel: string;

beforeAll(async () => {
  service = await startTestService();
  ({ owner, ptk_channel } = await setUpPlatform(service));
});
afterAll(() => service.stop());

const headers = { authorization: 'Bearer test-administration-key' };
const post = (path: string, body: unknown): Promise<Answer> =>
  service.send('POST', `/admin/v1${path}`, { body, headers });

/** A merchant of a test's own. */
async function shop(
  funds: { available?: string; guarantee?: string; recovery?: bigint; credit?: bigint } = {},
) {
  const { merchant_no } = await addMerchant(service, owner);
  const path = `/merchants/${merchant_no}`;
  const put = (name: string, amount_ptk: string) =>
    service.admin('POST', `${path}/${name}`, {
      amount_ptk,
      reference: `start-${merchant_no}`,
      reason: 'to start with',
    });
  if (funds.available !== undefined) await put('ptk-top-ups', funds.available);
  if (funds.guarantee !== undefined) await put('guarantee-deposits', funds.guarantee);
  await makeOwe(service, merchant_no, funds);
  return { merchant_no, path };
}

/** Every operation that moves PTK, on a wallet that covers 100 of it, and the wallet afterwards. */
const operations = [
  {
    name: 'guarantee-deposits',
    action: 'guarantee-deposit',
    more: { source: 'available' },
    funds: { available: '100' },
    after: { available_ptk: '40', guarantee_ptk: '60' },
    lines: ['P12 m:available > m:guarantee 60 PTK'],
  },
  {
    name: 'guarantee-deposits',
    action: 'guarantee-deposit',
    more: { source: 'external', paid: { currency: 'USD', amount: '1.50' } },
    funds: {},
    after: { guarantee_ptk: '60' },
    lines: ['P12x bank:USD > fx:USD 150 USD', 'P12x fx:PTK > m:guarantee 60 PTK'],
  },
  {
    name: 'guarantee-deposits',
    action: 'guarantee-deposit',
    more: {},
    funds: {},
    after: { guarantee_ptk: '60' },
    lines: ['P14i issue:PTK > m:guarantee 60 PTK'],
  },
  {
    name: 'guarantee-returns',
    action: 'guarantee-return',
    more: {},
    funds: { guarantee: '100' },
    after: { available_ptk: '60', guarantee_ptk: '40' },
    lines: ['P12 m:guarantee > m:available 60 PTK'],
  },
  {
    name: 'credit-repayments',
    action: 'credit-repayment',
    more: {},
    funds: { available: '100', credit: 60n },
    after: { available_ptk: '40' },
    lines: ['P16 m:available > m:credit_drawn 60 PTK'],
  },
  {
    name: 'recovery-repayments',
    action: 'recovery-repayment',
    more: {},
    funds: { recovery: 100n },
    after: { recovery_ptk: '40' },
    lines: ['P17 issue:PTK > m:recovery 60 PTK'],
  },
  {
    name: 'recovery-repayments',
    action: 'recovery-repayment',
    more: { paid: { currency: 'JPY', amount: '900' } },
    funds: { recovery: 60n },
    after: {},
    lines: ['P17 bank:JPY > fx:JPY 900 JPY', 'P17 fx:PTK > m:recovery 60 PTK'],
  },
  {
    name: 'recovery-repayments',
    action: 'recovery-repayment',
    more: { source: 'available' },
    funds: { available: '100', recovery: 60n },
    after: { available_ptk: '40' },
    lines: ['P17 m:available > m:recovery 60 PTK'],
  },
  {
    name: 'recovery-write-offs',
    action: 'recovery-write-off',
    more: { reason: 'The shop is bankrupt.' },
    funds: { recovery: 100n },
    after: { recovery_ptk: '40' },
    lines: ['P18 exp:loss > m:recovery 60 PTK'],
  },
] as const;

describe.each(operations)('$name with $more', ({ name, action, more, funds, after, lines }) => {
  const subjectOf = (reference: string) => `${action}:${reference}`;

  test(`R-143 ${lines[0].split(' ', 1)[0] ?? ''} moves the amount, is audited, and answers the wallet`, async () => {
    const { merchant_no, path } = await shop(funds);
    const reference = `one-${merchant_no}`;
    const answer = await post(`${path}/${name}`, { amount_ptk: '60', reference, ...more });
    expect(answer.status).toBe(201);
    expect(Check(MerchantWalletAnswer, answer.body)).toBe(true);
    expect(answer.body).toMatchObject(after);
    expect(await walletOf(service, merchant_no)).toEqual(after);
    expect(await linesOn(service, subjectOf(reference))).toEqual(lines);
    const { reason, ...logged } = { reason: null, ...more };
    expect(await auditOn(service, `merchant:${merchant_no}`, `merchant.${action}`)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          actor: 'environment key (bootstrap)',
          before: null,
          reason,
          after: expect.objectContaining({ amount_ptk: '60', reference, ...logged }) as unknown,
        }),
      ]) as Json[],
    );
  });

  test('R-144 R-379 once for each reference, also if it is requested many times in parallel', async () => {
    const { merchant_no, path } = await shop(funds);
    const body = { amount_ptk: '60', reference: `parallel-${merchant_no}`, ...more };
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(`${path}/${name}`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(200), 201]);
    expect((await post(`${path}/${name}`, { ...body, amount_ptk: '060' })).status).toBe(200);
    expect(await walletOf(service, merchant_no)).toEqual(after);
    const logged = await auditOn(service, `merchant:${merchant_no}`, `merchant.${action}`);
    expect(logged.filter(({ after }) => (after as Json).reference === body.reference)).toHaveLength(1);
  });

  test('R-144 the same reference with another amount conflicts; another merchant’s is its own', async () => {
    const { merchant_no, path } = await shop(funds);
    const body = { amount_ptk: '60', reference: 'conflicting', ...more };
    expect((await post(`${path}/${name}`, body)).status).toBe(201);
    const refused = await post(`${path}/${name}`, { ...body, amount_ptk: '1' });
    expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
    expect(await walletOf(service, merchant_no)).toEqual(after);
  });

  test.each([
    [{ reference: 'bad', ...more }, 'amount_ptk'],
    [{ amount_ptk: '0', reference: 'bad', ...more }, 'amount_ptk'],
    [{ amount_ptk: '-1', reference: 'bad', ...more }, 'amount_ptk'],
    [{ amount_ptk: '1.5', reference: 'bad', ...more }, 'amount_ptk'],
    [{ amount_ptk: 60, reference: 'bad', ...more }, 'amount_ptk'],
    [{ amount_ptk: '1', ...more }, 'reference'],
    [{ amount_ptk: '1', reference: '', ...more }, 'reference'],
  ])('%j is refused, naming %s, and posts nothing', async (body, field) => {
    const { path } = await shop();
    const refused = await post(`${path}/${name}`, body);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await linesOn(service, subjectOf('bad'))).toEqual([]);
  });

  test.each(['mr_00000000000000000000000001', 'nobody'])('merchant %s is 404', async (merchant_no) => {
    const body = { amount_ptk: '1', reference: 'nobody', ...more };
    const answer = await post(`/merchants/${merchant_no}/${name}`, body);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
});

describe('R-145 no balance goes below zero', () => {
  test.each([
    [
      'P12 a deposit of more than is available',
      'guarantee-deposits',
      { source: 'available' },
      { available: '59' },
      'insufficient_balance',
    ],
    [
      'P12 a return of more than was deposited',
      'guarantee-returns',
      {},
      { guarantee: '59', available: '100' },
      'insufficient_balance',
    ],
    [
      'P16 more than is available',
      'credit-repayments',
      {},
      { available: '59', credit: 100n },
      'insufficient_balance',
    ],
    [
      'P16 more than was drawn',
      'credit-repayments',
      {},
      { available: '100', credit: 59n },
      'amount_exceeds_debt',
    ],
    ['P16 where nothing was drawn', 'credit-repayments', {}, { available: '100' }, 'amount_exceeds_debt'],
    [
      'P17 more than is available',
      'recovery-repayments',
      { source: 'available' },
      { available: '59', recovery: 100n },
      'insufficient_balance',
    ],
    ['P17 more than is owed', 'recovery-repayments', {}, { recovery: 59n }, 'amount_exceeds_debt'],
    ['P17 where nothing is owed', 'recovery-repayments', {}, {}, 'amount_exceeds_debt'],
    [
      'P18 more than is owed',
      'recovery-write-offs',
      { reason: 'gone' },
      { recovery: 59n },
      'amount_exceeds_debt',
    ],
  ] as const)('%s is refused and leaves no trace', async (_what, name, more, funds, error) => {
    const { merchant_no, path } = await shop(funds);
    const before = await walletOf(service, merchant_no);
    const reference = `refused-${merchant_no}`;
    const refused = await post(`${path}/${name}`, { amount_ptk: '60', reference, ...more });
    expect([refused.status, refused.body.error]).toEqual([422, error]);
    expect(await walletOf(service, merchant_no)).toEqual(before);
    expect(await linesOn(service, `${name.slice(0, -1)}:${reference}`)).toEqual([]);
    expect(await auditOn(service, `merchant:${merchant_no}`, `merchant.${name.slice(0, -1)}`)).toHaveLength(
      'guarantee' in funds && name === 'guarantee-deposits' ? 1 : 0,
    );
  });

  test('a refused reference is free: it posts once the wallet covers it', async () => {
    const { merchant_no, path } = await shop();
    const body = { amount_ptk: '60', reference: 'later', source: 'available' };
    expect((await post(`${path}/guarantee-deposits`, body)).status).toBe(422);
    await post(`${path}/ptk-top-ups`, { amount_ptk: '60', reference: 'now', reason: 'paid in cash' });
    expect((await post(`${path}/guarantee-deposits`, body)).status).toBe(201);
    expect(await walletOf(service, merchant_no)).toEqual({ guarantee_ptk: '60' });
  });

  test('of ten deposits that the wallet covers once, one is made', async () => {
    const { merchant_no, path } = await shop({ available: '100' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        post(`${path}/guarantee-deposits`, {
          amount_ptk: '60',
          reference: `race-${i}`,
          source: 'available',
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(422)]);
    expect(await walletOf(service, merchant_no)).toEqual({ available_ptk: '40', guarantee_ptk: '60' });
  });
});

describe('R-144 a guarantee deposit under a reference that stands for another', () => {
  const deposits = [
    {},
    { source: 'available' },
    { source: 'external', paid: { currency: 'USD', amount: '1.00' } },
    { source: 'external', paid: { currency: 'USD', amount: '2.00' } },
    { source: 'external', paid: { currency: 'KWD', amount: '1.000' } },
  ];
  const pairs = deposits.flatMap((first) =>
    deposits.filter((other) => other !== first).map((other) => ({ first, other })),
  );
  test.each(pairs)('$first, then $other', async ({ first, other }) => {
    const { path } = await shop({ available: '100' });
    const body = { amount_ptk: '60', reference: 'one-name' };
    expect((await post(`${path}/guarantee-deposits`, { ...body, ...first })).status).toBe(201);
    const refused = await post(`${path}/guarantee-deposits`, { ...body, ...other });
    expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
  });

  test('a missing source means external, and an amount is the same in every spelling', async () => {
    const { path } = await shop();
    const paid = (amount: string) => ({ currency: 'USD', amount });
    const body = { amount_ptk: '60', reference: 'same' };
    expect((await post(`${path}/guarantee-deposits`, { ...body, paid: paid('1.5') })).status).toBe(201);
    const again = { ...body, source: 'external', paid: paid('1.50') };
    expect((await post(`${path}/guarantee-deposits`, again)).status).toBe(200);
  });

  test('a reference stands for one thing of each kind: a return may bear the name of its deposit', async () => {
    const { merchant_no, path } = await shop();
    const body = { amount_ptk: '60', reference: 'there-and-back' };
    expect((await post(`${path}/guarantee-deposits`, body)).status).toBe(201);
    expect((await post(`${path}/guarantee-returns`, body)).status).toBe(201);
    expect(await walletOf(service, merchant_no)).toEqual({ available_ptk: '60' });
  });
});

test.each([
  ['guarantee-deposits', { source: 'elsewhere' }, 'source'],
  ['guarantee-deposits', { source: 'available', paid: { currency: 'USD', amount: '1' } }, 'paid'],
  ['recovery-repayments', { source: 'available', paid: { currency: 'USD', amount: '1' } }, 'paid'],
  ['guarantee-deposits', { paid: { currency: 'XXX', amount: '1' } }, 'paid.currency'],
  ['guarantee-deposits', { paid: { currency: 'PTK', amount: '1' } }, 'paid.currency'],
  ['guarantee-deposits', { paid: { currency: 'USD', amount: '0' } }, 'paid.amount'],
  ['recovery-repayments', { paid: { currency: 'USD', amount: '1.001' } }, 'paid.amount'],
  ['recovery-repayments', { paid: { currency: 'USD' } }, 'paid.amount'],
  ['recovery-write-offs', {}, 'reason'],
  ['recovery-write-offs', { reason: '  ' }, 'reason'],
] as const)('%s: %j is refused, naming %s', async (name, more, field) => {
  const { path, merchant_no } = await shop({ available: '100', recovery: 100n });
  const refused = await post(`${path}/${name}`, { amount_ptk: '60', reference: 'refused', ...more });
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  expect(await walletOf(service, merchant_no)).toEqual({ available_ptk: '100', recovery_ptk: '100' });
});

describe('P15 a credit line', () => {
  test('is approved with a reason, audited, and moves no money', async () => {
    const { merchant_no, path } = await shop();
    const change = { credit_limit_ptk: '5000', reason: 'A year without complaints.' };
    await service.admin('PATCH', path, change);
    expect(await walletOf(service, merchant_no)).toEqual({ credit_limit_ptk: '5000' });
    expect(await auditOn(service, `merchant:${merchant_no}`, 'merchant.change')).toMatchObject([
      { reason: change.reason, before: { credit_limit_ptk: '0' }, after: { credit_limit_ptk: '5000' } },
    ]);
  });

  test('is refused without a reason', async () => {
    const { merchant_no, path } = await shop();
    const body = { credit_limit_ptk: '5000' };
    const refused = await service.send('PATCH', `/admin/v1${path}`, { headers, body });
    expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
    expect(await walletOf(service, merchant_no)).toEqual({});
  });
});

describe('P19 a payout of the card provider', () => {
  const card = (settings: Json = {}) => addCardChannel(service, 'https://card.invalid', settings);

  test('a payout moves the settled amount to the bank and its fees to costs, in the platform’s book, and is audited', async () => {
    const { payment_no } = await card();
    const body = { amount: '100.00', fees: '3.2', reference: 'po_first' };
    const answer = await post(`/channels/${payment_no}/payouts`, body);
    expect(answer.status).toBe(201);
    expect(Check(PayoutAnswer, answer.body)).toBe(true);
    const expected = { payment_no, reference: 'po_first', currency: 'USD', amount: '100.00', fees: '3.20' };
    expect(answer.body).toEqual(expected);
    expect(await transfersOn(service, 'payout:po_first')).toEqual([
      { line: `P19 bank:USD > prov:${payment_no}:USD 9680 USD`, test_mode: false },
      { line: `P19 exp:provider_cost:USD > prov:${payment_no}:USD 320 USD`, test_mode: false },
    ]);
    expect(await auditOn(service, `channel:${payment_no}`, 'channel.payout')).toMatchObject([
      { actor: 'environment key (bootstrap)', before: null, after: expected },
    ]);
  });

  test.each([
    ['without fees', { amount: '9', fees: '0', currency: 'JPY' }, ['bank:JPY > prov:CH:JPY 9 JPY']],
    ['of fees alone', { amount: '1', fees: '1.00' }, ['exp:provider_cost:USD > prov:CH:USD 100 USD']],
  ])('%s leaves no line of zero, and repeats', async (_what, body, lines) => {
    const { payment_no } = await card();
    const reference = `po_${payment_no}`;
    expect((await post(`/channels/${payment_no}/payouts`, { ...body, reference })).status).toBe(201);
    expect((await post(`/channels/${payment_no}/payouts`, { ...body, reference })).status).toBe(200);
    expect(await linesOn(service, `payout:${reference}`)).toEqual(
      lines.map((line) => `P19 ${line.replace('CH', payment_no)}`),
    );
  });

  test('D-084 on a test channel it is marked as such', async () => {
    const { payment_no } = await card({ test_mode: true });
    await post(`/channels/${payment_no}/payouts`, { amount: '1', fees: '0', reference: 'po_test' });
    expect(await transfersOn(service, 'payout:po_test')).toMatchObject([{ test_mode: true }]);
  });

  test('R-144 once for each reference, of all channels', async () => {
    const [one, other] = await Promise.all([card(), card()]);
    const body = { amount: '10', fees: '1', reference: 'po_once' };
    const path = `/channels/${one.payment_no}/payouts`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(path, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(200), 201]);
    expect((await post(path, { ...body, amount: '10.00' })).status).toBe(200);
    for (const [path, changed] of [
      [one.payment_no, { ...body, amount: '11' }],
      [one.payment_no, { ...body, fees: '2' }],
      [one.payment_no, { ...body, currency: 'KWD' }],
      [other.payment_no, body],
    ] as const) {
      const refused = await post(`/channels/${path}/payouts`, changed);
      expect([refused.status, refused.body.error]).toEqual([409, 'reference_conflict']);
    }
    expect(await linesOn(service, 'payout:po_once')).toHaveLength(2);
  });

  test.each([
    [{ fees: '0' }, 'amount'],
    [{ amount: 10, fees: '0' }, 'amount'],
    [{ amount: '0', fees: '0' }, 'amount'],
    [{ amount: '-1', fees: '0' }, 'amount'],
    [{ amount: '1.001', fees: '0' }, 'amount'],
    [{ amount: '1e3', fees: '0' }, 'amount'],
    [{ amount: '9'.repeat(40), fees: '0' }, 'amount'],
    [{ amount: '10' }, 'fees'],
    [{ amount: '10', fees: '-1' }, 'fees'],
    [{ amount: '10', fees: '10.01' }, 'fees'],
    [{ amount: '10', fees: '0', currency: 'XXX' }, 'currency'],
    [{ amount: '10', fees: '0', currency: 'PTK' }, 'currency'],
    [{ amount: '10', fees: '0', reference: '' }, 'reference'],
  ])('%j is refused, naming %s', async (body, field) => {
    const { payment_no } = await card();
    const refused = await post(`/channels/${payment_no}/payouts`, { reference: 'po_bad', ...body });
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await linesOn(service, 'payout:po_bad')).toEqual([]);
  });

  test('R-131 nothing is paid out to the platform on a merchant’s own account, nor in PTK', async () => {
    const { merchant_no } = await shop();
    const own = await card();
    await beside(service, (db) =>
      db.query(
        sql`UPDATE channels SET merchant_id = ${merchantIdOf(merchant_no)} WHERE payment_no = ${own.payment_no}`,
      ),
    );
    for (const payment_no of [own.payment_no, ptk_channel]) {
      const body = { amount: '10', fees: '0', reference: 'po_none' };
      const refused = await post(`/channels/${payment_no}/payouts`, body);
      expect([refused.status, refused.body.error]).toEqual([422, 'channel_unavailable']);
    }
    expect(await linesOn(service, 'payout:po_none')).toEqual([]);
  });

  test('an unknown channel is 404', async () => {
    const body = { amount: '10', fees: '0', reference: 'po_none' };
    const answer = await post('/channels/ch_unknown/payouts', body);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
});

test('R-144 one reference at the same instant for two top-ups, one paid and one not, posts one', async () => {
  const [one, other] = await Promise.all([addUser(service, 'First'), addUser(service, 'Second')]);
  const at = new Date('2026-01-01T00:00:00Z');
  const request = { amount_ptk: 100n, reference: 'one-instant' };
  const paid = { currency: 'USD', minor: 100n };
  await beside(service, async (db) => {
    const second = await db.transaction(async (tx) => {
      expect(await topUp(tx, { ...request, to: { user_id: one.user_id }, paid }, at)).toBe(true);
      const late = { ...request, to: { user_id: other.user_id }, paid: null };
      const outcome = db.transaction((rival) => topUp(rival, late, at)).catch((error: unknown) => error);
      await untilBlocked(db, tx);
      return { outcome };
    });
    expect(await second.outcome).toMatchObject({ code: 'reference_conflict' });
  });
  expect(await linesOn(service, 'topup:one-instant')).toEqual([
    'P14 bank:USD > fx:USD 100 USD',
    `P14 fx:PTK > user:${one.user_id}:available 100 PTK`,
  ]);
});
