import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import {
  caseOf,
  detailOf,
  namesOf,
  passTime,
  pay,
  resolve,
  startedCard,
  strangeSession,
} from '../desks/cases.ts';
import { shopper, type Shopper, userToken } from '../desks/catalog.ts';
import { type Console, consoleOf } from '../people/console.ts';
import { day_s, type LossDesk, openLossDesk } from '../desks/losses.ts';
import { openOwnShop, type OwnShop } from '../desks/own-channel.ts';
import {
  addClient,
  addMerchant,
  addUser,
  busyMerchant,
  catalogScopes,
  checkoutOf,
  type Merchant,
  type Order,
  payWithPtk,
} from '../desks/platform.ts';
import { eventually, type Json } from '../desks/service.ts';
import { hidden, visitorOf } from '../people/visitor.ts';
import { beside } from '../desks/wallets.ts';

interface Builder {
  desk: LossDesk;
  merchant_no: string;
  console: Console;
  merchant: Merchant;
}

/** A platform on which money has moved in every way that docs/ledger.md knows: the world of the walk. */
export async function openBooksWorld(): Promise<LossDesk> {
  const desk = await openLossDesk();
  const { merchant_no, owner } = desk.platform;
  const console = await consoleOf(desk.service, owner, merchant_no);
  await desk.service.admin('PATCH', `/merchants/${merchant_no}`, {
    hold_days: 3,
    website_url: 'https://a.example/',
  });
  await tellTheShop(desk, console);
  const merchant = await busyMerchant(desk.service, merchant_no, 2);
  const builder = { desk, merchant_no, console, merchant };
  await fundWallets(builder);
  await settleAndRelease(builder);
  await keepApart(builder);
  await takeBack(builder);
  await fillWallet(builder);
  await oweAndForgive(builder);
  await sellProducts(builder);
  await reserveFees(builder);
  await withdraw(builder);
  await leaveOpen(builder);
  await untilTold(desk);
  // The world stands still: no worker moves anything while it is walked.
  await desk.service.service.stop();
  return {
    ...desk,
    async stop() {
      await desk.service.database.drop();
      await desk.cardsim.close();
      await desk.receiver.remove();
    },
  };
}

async function tellTheShop({ receiver }: LossDesk, console: Console): Promise<void> {
  const settings = { url: receiver.url(), enabled: true };
  const { status, text } = await console.send('PUT', '/notification-settings', settings);
  if (status !== 200) throw new Error(`notification settings: ${text}`);
}

async function order({ merchant }: Builder, body: Json = {}): Promise<Order> {
  const description = 'A lantern';
  return merchant.order({ description, return_url: 'https://shop.example/thanks', ...body });
}

async function byPtk(builder: Builder): Promise<Order> {
  const made = await order(builder);
  await payWithPtk(builder.desk.service, made, builder.desk.cookie);
  return made;
}

async function byCard(builder: Builder): Promise<{ made: Order; session: string }> {
  const made = await order(builder);
  const { id } = await startedCard(builder.desk, made);
  await pay(builder.desk, { id } as never);
  await until(builder, made, 'paid');
  return { made, session: id };
}

const until = (
  { merchant }: Pick<Builder, 'merchant'>,
  { order_no }: Order,
  status: string,
): Promise<unknown> =>
  eventually(
    () => merchant.read(order_no),
    ({ body }) => body.status === status,
  );

/** Every way in which PTK comes in from outside, and what a guarantee can do. */
async function fundWallets({ desk, merchant_no }: Builder): Promise<void> {
  const admin = desk.service.admin.bind(desk.service);
  const at = `/merchants/${merchant_no}`;
  const paid = { currency: 'USD', amount: '50.00' };
  const move = (amount: bigint, reference: string, more: Json = {}): Json => ({
    amount_ptk: amount.toString(),
    reference,
    reason: 'As agreed.',
    ...more,
  });
  await admin('POST', `${at}/ptk-top-ups`, move(900_00000000n, 'issued'));
  await admin('POST', `${at}/ptk-top-ups`, move(500_00000000n, 'bought', { paid }));
  await admin('POST', `${at}/guarantee-deposits`, move(3_00000000n, 'deposit'));
  await admin('POST', `${at}/guarantee-deposits`, move(4_00000000n, 'deposit-paid', { paid }));
  await admin('POST', `${at}/guarantee-deposits`, move(5_00000000n, 'from-wallet', { source: 'available' }));
  await admin('POST', `${at}/guarantee-returns`, move(1_00000000n, 'return'));
  await admin(
    'POST',
    `/users/${desk.platform.buyer.user_id}/ptk-top-ups`,
    move(7_00000000n, 'cash', { paid }),
  );
  const reason = 'As agreed.';
  await admin('PATCH', at, { credit_limit_ptk: '20000000000', reason });
}

/** Orders whose hold has ended. */
async function settleAndRelease(builder: Builder): Promise<void> {
  const { desk } = builder;
  await byPtk(builder);
  await byCard(builder);
  await desk.service.advance(3 * day_s + 1);
  await desk.service.admin('POST', '/jobs/release-holds/run');
  await desk.service.admin('POST', `/channels/${desk.card.payment_no}/payouts`, {
    amount: '5.00',
    fees: '0.40',
    reference: 'payout-1',
  });
}

/** Money that fits no order: paid twice, too much, too little, and through an unknown session. */
async function keepApart(builder: Builder): Promise<void> {
  const { desk } = builder;
  await paidTwice(builder);
  await resolve(desk, await paidTwice(builder), 'refund');
  const more = await order(builder);
  await pay(desk, await startedCard(desk, more), { amount_total: 2_000 });
  const tooMuch = await caseOf(desk, more);
  await resolve(desk, tooMuch, 'accept', 'the buyer agrees');
  await resolve(desk, tooMuch, 'refund', 'too much');
  const paidTooLittle = async () => {
    const less = await order(builder);
    await pay(desk, await startedCard(desk, less), { amount_total: 500 });
    return caseOf(desk, less);
  };
  await paidTooLittle();
  // The card takes nothing back, so the bank pays.
  const error = { type: 'invalid_request_error', code: 'expired_or_canceled_card', message: 'No.' };
  const repaid = await paidTooLittle();
  await desk.sim('POST', '/faults', {
    endpoint: 'refunds.create',
    mode: 'status',
    status: 400,
    body: { error },
  });
  await resolve(desk, repaid, 'refund');
  await resolve(desk, repaid, 'repay', 'by bank');
  await pay(desk, await strangeSession(desk));
  const unmatched = (state: string) =>
    eventually(
      () => desk.service.admin<{ items: Json[] }>('GET', `/cases?kind=unmatched_receipt&state=${state}`),
      ({ items }) => items.length > 0,
    );
  await unmatched('waiting');
  await passTime(desk, day_s + 1);
  await unmatched('open');
}

/** PTK pays an order after the card was refused, and then the card pays as well. */
async function paidTwice(builder: Builder) {
  const { desk } = builder;
  const made = await order(builder);
  await desk.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
  });
  const checkout = checkoutOf(desk.service, made, desk.cookie);
  await checkout.start(await checkout.methodOf('cardprov'));
  const [attempt] = (await detailOf(desk, made)).attempts;
  const session = await strangeSession(desk, await namesOf(desk, made, attempt?.attempt_id ?? ''));
  await checkout.start(await checkout.methodOf('ptk'));
  await pay(desk, session);
  return caseOf(desk, made);
}

/** Top-ups by card: one that stands, and one whose payment is disputed. */
async function fillWallet({ desk }: Builder): Promise<void> {
  const { service, cookie } = desk;
  const owner = await addUser(service, 'Petra Platform', 'finance');
  const { merchant_no } = await addMerchant(service, owner, { name: 'Top-ups', hold_days: 0 });
  await tellTheShop(desk, await consoleOf(service, owner, merchant_no));
  await service.admin('PUT', '/settings', { top_up: { enabled: true, merchant_no } });
  const merchant = await busyMerchant(service, merchant_no, 1);
  const browser = visitorOf(service, cookie);
  const path = `${service.url}/account/top-up`;
  for (const outcome of [null, 'lost']) {
    const visit = hidden((await browser.get(path)).html, 'visit');
    const { location } = await browser.post(path, { visit, amount: '3.00', currency: 'USD' });
    const order_no = new URL(location).pathname.split('/').at(-1) ?? '';
    const { id } = await startedCard(desk, { order_no, checkout_url: location } as Order, cookie);
    await pay(desk, { id } as never);
    await until({ merchant }, { order_no } as Order, 'paid');
    if (outcome === null) continue;
    await desk.sim('POST', `/sessions/${id}/dispute`, { outcome });
    await until({ merchant }, { order_no } as Order, 'chargeback');
  }
}

/** Refunds, complaints and a lost dispute. */
async function takeBack(builder: Builder): Promise<void> {
  const { desk } = builder;
  const about = ({ order_no }: Order): string => `/collection-orders/${order_no}`;
  const complain = async (made: Order): Promise<string> => {
    const { body } = await desk.send<{ complaint_id: string }>(`${about(made)}/complaints`, {
      reason: 'lost',
    });
    return body.complaint_id;
  };
  const decide = (complaint_id: string, body: Json) =>
    desk.send(`/complaints/${complaint_id}/decision`, { reason: 'looked into it', ...body });
  const [ptk, card] = [await byPtk(builder), (await byCard(builder)).made];
  for (const made of [ptk, card]) {
    await desk.send(`${about(made)}/refunds`, { reason: 'returned goods' });
    await until(builder, made, 'refunded');
  }
  await decide(await complain((await byCard(builder)).made), { decision: 'dismiss' });
  const part = { decision: 'confirm', loss_amount: '2.00', external_cost: '0.50' };
  await decide(await complain((await byCard(builder)).made), part);
  await decide(await complain(await byPtk(builder)), { decision: 'confirm' });
  await complain(await byPtk(builder));
  const disputed = await byCard(builder);
  await desk.sim('POST', `/sessions/${disputed.session}/dispute`, { outcome: 'lost' });
  await until(builder, disputed.made, 'chargeback');
}

/** A merchant without funds whose payment goes back: it owes, repays a part, and the rest is written off. */
async function oweAndForgive({ desk }: Builder): Promise<void> {
  const { service, platform } = desk;
  const { merchant_no } = await addMerchant(service, platform.owner, { hold_days: 0 });
  await tellTheShop(desk, await consoleOf(service, platform.owner, merchant_no));
  const merchant = await busyMerchant(service, merchant_no, 1);
  const builder = { desk, merchant_no, merchant } as Builder;
  const { made } = await byCard(builder);
  await byPtk(builder);
  const drain = { merchant_no, payout_currency: 'USD', payout_amount: '19.00', reference: 'all' };
  await service.admin('POST', '/withdrawals', { ...drain, amount_ptk: '19000000000' });
  await desk.send(`/collection-orders/${made.order_no}/refunds`, { reason: 'returned goods' });
  await until(builder, made, 'refunded');
  const at = `/merchants/${merchant_no}`;
  const paid = { currency: 'USD', amount: '1.00' };
  await service.admin('POST', `${at}/recovery-repayments`, {
    amount_ptk: '100000000',
    reference: 'rep-1',
    paid,
  });
  await service.admin('POST', `${at}/recovery-repayments`, { amount_ptk: '50000000', reference: 'rep-2' });
  const reason = 'Not worth the letter.';
  await service.admin('POST', `${at}/recovery-write-offs`, {
    amount_ptk: '70000000',
    reference: 'off',
    reason,
  });
}

/** Orders of products in every state, with codes and without. */
async function sellProducts({ desk, console, merchant_no }: Builder): Promise<void> {
  const { service, platform } = desk;
  const common = { actual_price: '1000000000', currency: 'USD', enabled: true };
  const make = async (body: Json): Promise<string> => {
    const made = await console.send<{ gd_no: string }>('POST', '/products', { ...common, ...body });
    if (made.status !== 201) throw new Error(`product: ${made.text}`);
    return made.body.gd_no;
  };
  const plain = await make({ gd_name: 'Gift card', in_stock: 25, wholesale_price_cnf: ['5=9.50'] });
  const coded = await make({ gd_name: 'Game key' });
  await console.send('POST', `/products/${coded}/codes`, { codes: ['AAAA', 'BBBB', 'CCCC', 'DDDD'] });
  const client = await addClient(service, merchant_no, { name: 'Reader app', scopes: catalogScopes });
  const buyer = shopper(service, await userToken(service, client, platform.buyer.user_id));
  const bought = async (gd_no: string, quantity = 1): Promise<string> => {
    const order_no = await buyer.order({ gd_no, quantity, payment_no: platform.ptk_channel });
    await buyer.pay(order_no, platform.ptk_channel);
    return order_no;
  };
  const delivered = await bought(coded, 2);
  await eventually(
    () => buyer.read(delivered),
    ({ body }) => body.status === 3,
  );
  await bought(plain, 5);
  await console.send('POST', `/catalog-orders/${await bought(plain)}/fulfilment`, { note: 'Posted.' });
  const returned = await bought(plain);
  await service.admin('POST', `/catalog-orders/${returned}/refunds`, { reason: 'returned goods' });
  await expireOne(desk, buyer, plain);
}

async function expireOne(desk: LossDesk, buyer: Shopper, gd_no: string): Promise<void> {
  await buyer.order({ gd_no, quantity: 1, payment_no: desk.platform.ptk_channel });
  await passTime(desk, 1_801);
  await buyer.order({ gd_no, quantity: 1, payment_no: desk.card.payment_no });
}

/** Fees of a merchant's own channel: taken, given back, taken late, and set aside still. */
async function reserveFees({ desk }: Builder): Promise<void> {
  const { service, cardsim, platform } = desk;
  const shop = await openOwnShop(service, cardsim, platform.owner, {
    available: 300_000_000n,
    credit: 900_000_000n,
  });
  await tellTheShop(desk, await consoleOf(service, platform.owner, shop.merchant_no));
  const started = async (body: Json = {}): Promise<Order> => {
    const made = await shop.order(body);
    await shop.start(made);
    return made;
  };
  const done = (made: Order, status: string) =>
    eventually(
      () => shop.merchant.read(made.order_no),
      ({ body }) => body.status === status,
    );
  const paid = await started();
  await shop.pay(paid);
  await done(paid, 'paid');
  await refusedThenPaid(desk, shop, done);
  await started({ expires_in: 7_200 });
}

async function refusedThenPaid(
  desk: LossDesk,
  shop: OwnShop,
  done: (made: Order, status: string) => Promise<unknown>,
): Promise<void> {
  const refuse = {
    status: 400,
    processed: true,
    body: { error: { type: 'invalid_request_error', message: 'no' } },
  };
  for (const isPaid of [false, true]) {
    const made = await shop.order({ expires_in: 60 });
    const fault = { endpoint: 'sessions.create', account: shop.secret_key, mode: 'status', ...refuse };
    await desk.sim('POST', '/faults', fault);
    await shop.start(made);
    await passTime(desk, 61);
    await done(made, 'expired');
    if (!isPaid) continue;
    await shop.pay(made);
    await passTime(desk, 61);
    await done(made, 'paid');
  }
  await shop.topUp(100_000_000n);
  await desk.service.admin('POST', `/merchants/${shop.merchant_no}/credit-repayments`, {
    amount_ptk: '1000',
    reference: 'credit-1',
  });
}

async function withdraw({ desk, merchant_no }: Builder): Promise<void> {
  const request = { merchant_no, payout_currency: 'USD', payout_amount: '10.00', amount_ptk: '10000000000' };
  for (const decision of ['paid', 'reject', null]) {
    const asked = await desk.service.admin<{ withdrawal_id: string }>('POST', '/withdrawals', {
      ...request,
      reference: `transfer-${decision ?? 'open'}`,
    });
    const path = `/withdrawals/${asked.withdrawal_id}/decision`;
    if (decision !== null) await desk.service.admin('POST', path, { decision, reason: 'Bank transfer 4711' });
  }
}

/** Unpaid orders, one past its deadline and one in doubt, and two orders under hold. */
async function leaveOpen(builder: Builder): Promise<void> {
  const { desk } = builder;
  await order(builder, { expires_in: 7_200 });
  await startedCard(desk, await order(builder, { expires_in: 7_200 }));
  await byPtk(builder);
  await byCard(builder);
  // The last of all: a worker soon learns that the provider has no session.
  const expired = await order(builder, { expires_in: 60 });
  const doubtful = await order(builder, { expires_in: 60 });
  // As often as the service asks again until the deadline; nothing asks for a session after that.
  await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500, times: 50 });
  const checkout = checkoutOf(desk.service, doubtful);
  await checkout.start(await checkout.methodOf('cardprov'));
  await passTime(desk, 61);
  await until(builder, expired, 'expired');
  await until(builder, doubtful, 'review');
  await eventually(
    () => desk.service.admin<{ items: Json[] }>('GET', '/cases?kind=unknown_creation'),
    ({ items }) => items.length > 0,
  );
}

/** Waits until every notification has arrived, so that the world stands still. */
const untilTold = ({ service, platform }: LossDesk): Promise<unknown> =>
  beside(service, (db) =>
    eventually(
      () =>
        db.query(sql`SELECT 1 FROM notifications WHERE delivery_status = 'pending'
          OR merchant_id <> ${merchantIdOf(platform.merchant_no)} AND attempts = 0`),
      ({ length }) => length === 0,
    ),
  );
