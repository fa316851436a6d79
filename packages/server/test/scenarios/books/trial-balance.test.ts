/** The command that closes a month: its sums against the books that it adds up. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { addProduct, shopper, userToken } from '../../support/desks/catalog.ts';
import { fee, openOwnShop } from '../../support/desks/own-channel.ts';
import {
  addCardChannel,
  addClient,
  catalogScopes,
  checkoutOf,
  onePtk,
  payWithPtk,
} from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';
import { consoleOf } from '../../support/people/console.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';

type Row = Record<string, string>;

let desk: LossDesk;
let shop: Shop;
/** The end of the first month. */
let until: string;
/** The end of the next one. The command does not know the test clock. */
let end: string;
let first: Row[];

const now = async (): Promise<string> =>
  (await desk.service.admin<{ now: string }>('GET', '/test-clock')).now;

async function balanceOf(...args: string[]): Promise<Row[]> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  try {
    const env = { DATABASE_URL: desk.service.database.url };
    expect(await runCommand(['trial-balance', ...args], env)).toBe(0);
  } finally {
    log.mockRestore();
  }
  // As written by `console.log`: every line ends alike, also the last one.
  const file = printed.map((text) => `${text}\n`).join('');
  expect(file).not.toMatch(/[^\r]\n/);
  return parse(file, { columns: true, bom: true });
}

const accounts = (rows: readonly Row[]): Row[] => rows.filter(({ row }) => row === 'account');
const units = (text = ''): bigint => BigInt(text.replace('.', ''));
const sum = (rows: readonly Row[], of: (row: Row) => bigint): bigint =>
  rows.reduce((total, row) => total + of(row), 0n);

/** The balances that are not zero by account, without the order of an account, and currency: real and tests together. */
function inAll(rows: readonly Row[], balanceIn: (row: Row) => string | undefined): Record<string, bigint> {
  const balances: Record<string, bigint> = {};
  for (const row of rows) {
    const key = `${(row.account ?? '').replace(/^(m:\w+):.*/, '$1')} ${row.currency ?? ''}`;
    balances[key] = (balances[key] ?? 0n) + units(balanceIn(row));
  }
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0n));
}

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk, { guarantee: 5n * onePtk, available: 20n * onePtk });
  await desk.service.admin('PATCH', `/channels/${desk.card.payment_no}`, {
    supported_currencies: ['USD', 'KWD', 'JPY'],
    fees: ['USD', 'KWD', 'JPY'].map((currency) => ({
      currency,
      buyer: { fixed_minor: 3, percent_ppm: 29_000 },
      merchant: { fixed_minor: 1, percent_ppm: 15_000 },
    })),
  });
  const returned = await shop.byCard();
  await shop.byCard({ amount: '1.237', currency: 'KWD' });
  await shop.byCard({ amount: '777', currency: 'JPY' });
  await shop.byPtk({ amount: '12.34567891', currency: 'PTK' });
  const trial = await addCardChannel(desk.service, desk.cardsim.url, {
    ...{ name: 'Trial', test_mode: true, supported_currencies: ['USD'] },
    config: { api_base: desk.cardsim.url, secret_key: 'sk_test_1', webhook_secret: 'whsec_trial' },
  });
  await desk.cardsim.registerWebhook({ url: trial.webhook_url, secret: 'whsec_trial' });
  const grants = { merchants: [shop.merchant_no], users: [] };
  await desk.service.admin('PUT', `/channels/${trial.payment_no}/debug-grants`, grants);
  await shop.byCard({ amount: '8.00', payment_no: trial.payment_no });
  await desk.service.advance(60);
  until = await now();
  end = new Date(Date.parse(until) + 31 * day_s * 1_000).toISOString();
  first = await balanceOf('--since', '2020-01-01', '--until', until);
  // The next month.
  await desk.service.advance(2 * day_s);
  await desk.service.admin('POST', '/jobs/release-holds/run');
  await shop.refund(returned.order);
  await shop.until(returned.order, 'refunded');
});
afterAll(() => desk.stop());

test('D-913 D-1201 the parts of a statement for orders and fees are the sums of the files of orders', async () => {
  const { service, cardsim, platform, cookie } = desk;
  const own = await openOwnShop(service, cardsim, platform.owner, { available: 3n * onePtk });
  const reserved = await own.order();
  await own.start(reserved);
  await own.pay(reserved);
  await eventually(
    () => own.merchant.read(reserved.order_no),
    ({ body }) => body.status === 'paid',
  );
  await payWithPtk(service, await own.merchant.order({ amount: '777', currency: 'JPY' }), cookie);
  const gd_no = await addProduct(service, shop.merchant_no);
  const client = await addClient(service, shop.merchant_no, { scopes: catalogScopes });
  const buying = shopper(service, await userToken(service, client, platform.buyer.user_id));
  const order_no = await buying.order({ gd_no, quantity: 2, payment_no: platform.ptk_channel });
  await buying.pay(order_no, platform.ptk_channel);
  // The provider's clock is two days behind, as where a payment is confirmed late.
  const byCard = await buying.order({ gd_no, quantity: 1, payment_no: desk.card.payment_no });
  await buying.pay(byCard, desk.card.payment_no);
  const { items } = await desk.sim<{ items: { id: string; metadata: Row }[] }>('GET', '/sessions');
  const session = items.find(({ metadata }) => metadata.order_no === byCard);
  await desk.sim('POST', `/sessions/${session?.id ?? ''}/pay`, {});
  await eventually(
    () => buying.paymentStatus(byCard),
    (status) => status === 1,
  );
  const booked = await service.admin<{ postings: Row[] }>('GET', `/catalog-orders/${byCard}`);

  let checked = 0n;
  for (const [owner, merchant_no] of [
    [shop.owner, shop.merchant_no],
    [platform.owner, own.merchant_no],
  ] as const) {
    const screen = await consoleOf(service, owner, merchant_no);
    const file = async (path: string): Promise<Row[]> =>
      parse((await screen.get(`/${path}.csv`)).text, { columns: true, bom: true });
    const paid = [...(await file('collection-orders')), ...(await file('catalog-orders'))].filter(
      ({ paid_at, test_mode }) => paid_at !== '' && test_mode === 'false',
    );
    const late = paid.filter((row) => row.order_no === byCard);
    expect(late.every(({ paid_at }) => paid_at === booked.postings[0]?.at)).toBe(true);
    for (const month of new Set(paid.map(({ paid_at = '' }) => paid_at.slice(0, 7)))) {
      const parts = await file(`statements/${month}/statement`);
      const part = (code: string): bigint =>
        units(parts.find(({ row, what_code }) => row === 'part' && what_code === code)?.change ?? '0');
      const ofMonth = paid.filter(({ paid_at = '' }) => paid_at.startsWith(month));
      const fees = ofMonth.filter(({ settlement }) => settlement === '');
      expect(part('orders')).toBe(sum(ofMonth, ({ settlement }) => units(settlement || '0')));
      expect(part('fees')).toBe(-sum(fees, ({ settlement_fee }) => units(settlement_fee)));
      checked += BigInt(ofMonth.length);
    }
  }
  expect(checked).toBe(8n);
});

describe('D-912 a trial balance', () => {
  test('its openings and movements are its closings, debits are credits, and its postings make its movements', async () => {
    const rows = await balanceOf('--since', until, '--until', end);
    expect(new Set(rows.map(({ row }) => row))).toEqual(new Set(['account', 'posting']));
    for (const { side, opening, debits, credits, closing } of accounts(rows)) {
      const moved = units(debits) - units(credits);
      expect(units(opening) + (side === 'debit' ? moved : -moved)).toBe(units(closing));
    }
    for (const currency of ['USD', 'KWD', 'JPY', 'PTK']) {
      const of = rows.filter((row) => row.currency === currency);
      expect(of).not.toEqual([]);
      for (const balance of ['opening', 'closing']) {
        const signed = (row: Row): bigint => (row.side === 'debit' ? 1n : -1n) * units(row[balance]);
        expect(sum(accounts(of), signed)).toBe(0n);
      }
      const posted = sum(of, ({ amount }) => units(amount));
      for (const side of ['debits', 'credits'])
        expect(sum(accounts(of), (row) => units(row[side]))).toBe(posted);
    }
    expect(rows.find(({ posting, debit }) => posting === 'P7' && debit === 'fx:USD')).toMatchObject({
      ...{ credit: `prov:${desk.card.payment_no}:USD`, amount: '10.32', transfers: '1' },
      about: expect.stringContaining('refund') as string,
    });
  });

  test('a refund in the next month leaves a closed month as it was, and begins where that ended', async () => {
    expect(await balanceOf('--since', '2020-01-01', '--until', until)).toEqual(first);
    const next = accounts(await balanceOf('--since', until, '--until', end));
    const key = ({ account, currency, test_mode }: Row): string => [account, currency, test_mode].join(' ');
    for (const { closing, ...row } of accounts(first)) {
      expect(next.find((one) => key(one) === key(row))?.opening).toBe(closing);
    }
  });

  test('tests are apart, with what followed from them, and real payments keep no trace of them', async () => {
    const rows = await balanceOf('--since', '2020-01-01', '--until', end);
    const tests = rows.filter(({ test_mode }) => test_mode === 'true');
    // P3 releases the test's hold, and its transfer itself does not say that it is a test.
    expect(new Set(tests.map(({ posting }) => posting))).toEqual(new Set(['', 'P1', 'P3']));
    expect(inAll(accounts(tests), ({ closing }) => closing)).toMatchObject({
      'm:available PTK': 80n * onePtk,
      'fx:USD USD': 800n,
    });
    const real = rows.filter(({ test_mode }) => test_mode === 'false');
    const signed = (row: Row): bigint => (row.side === 'debit' ? 1n : -1n) * units(row.closing);
    expect(
      sum(
        accounts(real).filter(({ currency }) => currency === 'USD'),
        signed,
      ),
    ).toBe(0n);
  });

  test('each book by itself ends at the balances of the administration', async () => {
    const rows = accounts(await balanceOf('--since', until, '--until', end, '--by-merchant'));
    for (const book of ['platform', shop.merchant_no, desk.platform.merchant_no]) {
      const path = `/ledger/accounts?limit=100&book=${book}`;
      const { items } = await desk.service.admin<{ items: Row[] }>('GET', path);
      const ofBook = rows.filter((row) => row.book === book && row.account !== 'user');
      const stated = inAll(ofBook, ({ closing }) => closing);
      expect(stated).toEqual(inAll(items, ({ balance }) => balance));
    }
    const { available_ptk } = await desk.service.admin<{ available_ptk: string }>(
      'GET',
      `/users/${desk.platform.buyer.user_id}/wallet`,
    );
    expect(
      sum(
        rows.filter(({ account }) => account === 'user'),
        ({ closing }) => units(closing),
      ),
    ).toBe(BigInt(available_ptk));
  });
});

test('D-1281 an order that was tried on a test channel first is real where real money has paid it', async () => {
  const { service, cardsim, platform, cookie } = desk;
  const account = { api_base: cardsim.url, secret_key: 'sk_test_tried', webhook_secret: 'whsec_tried' };
  const channel = { test_mode: true, config: account };
  const own = await openOwnShop(service, cardsim, platform.owner, { available: fee, channel });
  await service.admin('PATCH', `/merchants/${own.merchant_no}`, { hold_days: 2 });
  const grants = { merchants: [own.merchant_no], users: [] };
  await service.admin('PUT', `/channels/${own.card.payment_no}/debug-grants`, grants);
  const order = await own.merchant.order();
  const checkout = checkoutOf(service, order);
  const { body: shown } = await checkout.state();
  await desk.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
    times: 1,
  });
  const tried = await checkout.start(shown.methods.find(({ test_mode }) => test_mode)?.method_id ?? '');
  expect(tried.body).toMatchObject({ error: 'provider_checkout_rejected' });
  await payWithPtk(service, order, cookie);
  const { body: paid } = await own.merchant.read(order.order_no);

  const screen = await consoleOf(service, platform.owner, own.merchant_no);
  const { body } = await screen.get<{ items: Row[]; summary: { parts: Row[] } }>(
    '/wallet/statement?from=2020-01-01T00:00:00Z',
  );
  expect(body.items.find(({ posting }) => posting === 'P2')).toMatchObject({ test_mode: false });
  expect(body.items.filter(({ test_mode }) => test_mode).map(({ posting }) => posting)).toEqual([
    'P4c',
    'P4a',
  ]);
  expect(body.summary.parts).toEqual([
    { part: 'orders', change_ptk: paid.settlement_ptk },
    { part: 'deposits', change_ptk: fee.toString() },
  ]);
  const home = await screen.get<{ wallet: Row }>('/home?time_zone=UTC');
  expect(home.body.wallet).toMatchObject({ held_ptk: paid.settlement_ptk, held_test_ptk: '0' });

  const rows = await balanceOf('--since', '2020-01-01', '--until', end, '--by-merchant');
  const ofBook = rows.filter(({ book, row }) => book === own.merchant_no && row === 'posting');
  const postings = (isTest: string): unknown[] =>
    ofBook.filter(({ test_mode }) => test_mode === isTest).map(({ posting }) => posting);
  expect(new Set(postings('true'))).toEqual(new Set(['P4a', 'P4c']));
  expect(new Set(postings('false'))).toEqual(new Set(['P2', 'P20i']));
});
