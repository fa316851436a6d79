import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { OrderDetailAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { ptk } from '../../../src/base/money.ts';
import {
  exchange,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeReserved,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  providerClearing,
  userAvailable,
} from '../../../src/ledger/books/accounts.ts';
import { type Transfer, transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import type { Posting } from '../../../src/ledger/books/postings.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import {
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { beside, makeOwe } from '../../support/desks/wallets.ts';

interface Line extends Json {
  posting: string;
  debit: string;
  credit: string;
  currency: string;
  amount: string;
  amount_minor: string;
  at: string;
  why: string;
  what: string;
  from: string;
  to: string;
}

interface Total extends Json {
  total: string;
  currency: string;
  amount: string;
  amount_minor: string;
}

interface AccountSum extends Json {
  account: string;
  currency: string;
  debited_minor: string;
  credited_minor: string;
}

interface Detail extends Json {
  postings: Line[];
  money: { hold: Json | null; totals: Total[]; accounts: AccountSum[] };
}

const day_s = 24 * 3_600;
const fees = {
  buyer: { fixed_minor: 30, percent_ppm: 29_000 },
  merchant: { fixed_minor: 10, percent_ppm: 15_000 },
};

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let buyer: string;
let card: { payment_no: string };
let shop: { merchant: Merchant; merchant_no: string };
let payments: Merchant;

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  buyer = await signIn(service, platform.buyer);
  const added = await addCardChannel(service, cardsim.url, {
    supported_currencies: ['USD'],
    fees: [{ currency: 'USD', ...fees }],
  });
  await cardsim.registerWebhook({ url: added.webhook_url, secret: 'whsec_simulated' });
  card = added;
  const { merchant_no } = await addMerchant(service, await addUser(service, 'Lena Lines'), { hold_days: 2 });
  shop = { merchant: await busyMerchant(service, merchant_no, 2), merchant_no };
  payments = shop.merchant;
});

afterAll(async () => {
  // The entries that no payment has were posted by hand.
  await service.stop(['entry_differs', 'transfer_unknown']);
  await cardsim.close();
});

async function detail({ order_no }: Order): Promise<Detail> {
  const body = await service.admin<Detail>('GET', `/collection-orders/${order_no}`);
  expect(Check(OrderDetailAnswer, body)).toBe(true);
  expectSums(body);
  return body;
}

/** The sums of the lines, for comparison: the test adds them up without code of the service. */
function expectSums({ postings, money }: Detail): void {
  const sides = new Map<string, bigint>();
  const add = (key: string, minor: string): void => {
    sides.set(key, (sides.get(key) ?? 0n) + BigInt(minor));
  };
  for (const { debit, credit, currency, amount_minor } of postings) {
    add(`debit ${debit} ${currency}`, amount_minor);
    add(`credit ${credit} ${currency}`, amount_minor);
  }
  const said = money.accounts.flatMap(({ account, currency, debited_minor, credited_minor }) => [
    [`debit ${account} ${currency}`, BigInt(debited_minor)] as const,
    [`credit ${account} ${currency}`, BigInt(credited_minor)] as const,
  ]);
  expect(new Map(said.filter(([, minor]) => minor !== 0n))).toEqual(sides);
  expect(postings.map(({ at }) => at)).toEqual(postings.map(({ at }) => at).sort());
  for (const { what, why, from, to } of postings) expect([what, why, from, to]).not.toContain('');
}

const totalsOf = ({ money }: Detail): string[] =>
  money.totals.map(({ total, amount, currency }) => `${total} ${amount} ${currency}`);

const linesOf = ({ postings }: Detail): string[] =>
  postings.map(({ posting, what, amount, currency }) => `${posting} ${what}: ${amount} ${currency}`);

async function paidByPtk(): Promise<Order> {
  const order = await payments.order();
  await payWithPtk(service, order, buyer);
  return order;
}

async function paidByCard(): Promise<Order> {
  const order = await payments.order();
  const checkout = checkoutOf(service, order);
  await checkout.start(await checkout.methodOf('cardprov'));
  const { items } = (
    await request<{ items: { id: string; metadata: Json }[] }>(`${cardsim.url}/_sim/sessions`, 'GET')
  ).body;
  const session = items.find(({ metadata }) => metadata.order_no === order.order_no);
  await request(`${cardsim.url}/_sim/sessions/${session?.id ?? ''}/pay`, 'POST', { body: {} });
  await eventually(
    () => payments.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );
  return order;
}

/** Posts an entry on an order that no use case of these tests causes. */
async function postOn({ order_no }: Order, posting: Posting, transfers: Transfer[], at: Date): Promise<void> {
  const merchant_id = merchantIdOf(shop.merchant_no) ?? '';
  const { book, wallets } = post([{ merchant_id, subject: order_no, posting, transfers }], at);
  await beside(service, (db) =>
    db.transaction(async (tx) => {
      await tx.write(book);
      await tx.write(wallets);
    }),
  );
}

test('an order without a payment has no lines and comes to nothing', async () => {
  expect(await detail(await payments.order())).toMatchObject({
    postings: [],
    money: { hold: null, totals: [], accounts: [] },
  });
});

test('P1 a card payment: the buyer’s amount, the fees, and the net amount under hold with its end', async () => {
  const found = await detail(await paidByCard());
  const until = String(found.money.hold?.release_at);
  expect(linesOf(found)).toEqual([
    'P1 Buyer fee: 0.60 USD',
    'P1 The invoice, exchanged into PTK at the locked price: 10.00 USD',
    'P1 Merchant fee: 2.60000000 PTK',
    `P1 Net proceeds, under hold (until ${until}): 97.40000000 PTK`,
  ]);
  expect(found.postings[0]).toMatchObject({
    from: 'What the card provider owes the platform',
    to: 'The platform’s buyer fees',
    why: 'The buyer has paid by card on a channel of the platform.',
  });
  expect(totalsOf(found)).toEqual([
    'buyer_paid 10.60 USD',
    'buyer_fee 0.60 USD',
    'merchant_fee 2.60000000 PTK',
    'merchant_net 97.40000000 PTK',
    'held 97.40000000 PTK',
  ]);
});

test('P2, P3 a PTK payment, and its release that repays a debt first (D-073)', async () => {
  const order = await paidByPtk();
  expect(totalsOf(await detail(order))).toEqual([
    'buyer_paid 100.00000000 PTK',
    'merchant_net 100.00000000 PTK',
    'held 100.00000000 PTK',
  ]);
  await makeOwe(service, shop.merchant_no, { recovery: 3_000_000_000n });
  await service.advance(2 * day_s + 1);
  await service.admin('POST', '/jobs/release-holds/run');
  const { body } = await eventually(
    async () => ({ body: await detail(order) }),
    ({ body: now }) => now.postings.some(({ posting }) => posting === 'P3'),
  );
  expect(body.money.hold?.released_at).not.toBeNull();
  const totals = totalsOf(body);
  // The debt may have been repaid out of another order's release at the same time: together they are the net.
  const released = body.money.totals.filter(({ total }) => ['released', 'kept_for_debt'].includes(total));
  expect(released.reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n)).toBe(10_000_000_000n);
  expect(totals.slice(0, 2)).toEqual(['buyer_paid 100.00000000 PTK', 'merchant_net 100.00000000 PTK']);
  expect(totals.some((total) => total.startsWith('held '))).toBe(false);
});

test('P6a, P7 frozen, then refunded: each part of the loss by where it came from (D-074)', async () => {
  await service.admin('POST', `/merchants/${shop.merchant_no}/guarantee-deposits`, {
    amount_ptk: '800000000',
    reference: 'order-money',
  });
  const order = await paidByCard();
  const [held, frozen] = [merchantHeld(order.order_no), merchantFrozen(order.order_no)];
  const net = 9_740_000_000n;
  const at = new Date(String((await detail(order)).postings.at(-1)?.at));
  await postOn(order, 'P6a', [transfer(held, frozen, net)], at);
  expect(totalsOf(await detail(order))).toContain('frozen 97.40000000 PTK');
  const returned = [
    transfer(exchange('USD'), providerClearing(card.payment_no, 'USD'), 1_060n),
    transfer(frozen, exchange(ptk), net),
    transfer(merchantGuarantee(), exchange(ptk), 800_000_000n),
    transfer(merchantRecovery(), exchange(ptk), 60_000_000n),
  ];
  await postOn(order, 'P7', returned, at);
  const found = await detail(order);
  expect(linesOf(found).slice(-5)).toEqual([
    'P6a Proceeds frozen: 97.40000000 PTK',
    'P7 Returned to the buyer by the card provider: 10.60 USD',
    'P7 Taken from the frozen proceeds of this order: 97.40000000 PTK',
    'P7 Taken from the merchant’s guarantee: 8.00000000 PTK',
    'P7 Not covered: the merchant owes it from now on: 0.60000000 PTK',
  ]);
  expect(totalsOf(found).slice(-4)).toEqual([
    'returned 10.60 USD',
    'loss_from_order 97.40000000 PTK',
    'loss_from_guarantee 8.00000000 PTK',
    'loss_owed 0.60000000 PTK',
  ]);
});

test('P7p a PTK refund goes back to the wallet it came from', async () => {
  const order = await paidByPtk();
  const held = merchantHeld(order.order_no);
  const wallet = userAvailable(platform.buyer.user_id);
  const at = new Date(String((await detail(order)).postings.at(-1)?.at));
  await postOn(order, 'P7p', [transfer(held, wallet, 10_000_000_000n)], at);
  const found = await detail(order);
  expect(found.postings.at(-1)).toMatchObject({ to: 'The buyer’s PTK' });
  expect(totalsOf(found)).toContain('returned 100.00000000 PTK');
});

test('P4a, P4c a fee set aside and given back leaves nothing behind', async () => {
  const order = await payments.order();
  const reserved = merchantFeeReserved(order.order_no);
  const at = new Date('2026-01-02T03:00:00Z');
  const credit = merchantCreditDrawn();
  await postOn(order, 'P4a', [transfer(credit, reserved, 7n)], at);
  expect(totalsOf(await detail(order))).toEqual([
    'fee_reserved 0.00000007 PTK',
    'credit_drawn 0.00000007 PTK',
  ]);
  await postOn(order, 'P4c', [transfer(reserved, credit, 7n)], at);
  const found = await detail(order);
  expect(linesOf(found).at(-1)).toBe('P4c Back to the merchant’s credit line: 0.00000007 PTK');
  expect(totalsOf(found)).toEqual([]);
});

test('R-019 a posting that this version does not know is shown by its accounts', async () => {
  const order = await payments.order();
  const at = new Date('2026-01-02T03:00:00Z');
  await postOn(order, 'P99' as Posting, [transfer(exchange(ptk), merchantAvailable(), 5n)], at);
  const found = await detail(order);
  expect(linesOf(found)).toEqual([
    'P99 The exchange between a currency and PTK → The merchant’s available PTK: 0.00000005 PTK',
  ]);
});
