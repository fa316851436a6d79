import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { type ConsoleRole, consoleRoles } from '@paydesk/contract';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { shopper, userToken } from './catalog.ts';
import { type Console, consoleOf } from '../people/console.ts';
import { type LocalReceiver, localReceiver } from '../notifications/notify.ts';
import { simulate } from './own-channel.ts';
import {
  addCardChannel,
  addClient,
  addUser,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from './platform.ts';
import { eventually, type Json, startTestService, type TestService } from './service.ts';
import { beside, makeOwe } from './wallets.ts';

/** The content of a text field: ordinary text, unless a test wants something else. */
export type Texts = (field: string, usual: string) => string;

/** A platform on which something of everything that the consoles show has happened. */
export interface World {
  service: TestService;
  cardsim: Cardsim;
  platform: Platform;
  merchant: Merchant;
  /** The console of the merchant's owner. */
  desk: Console;
  admin: Person;
  /** One person of each role at the merchant. */
  people: Readonly<Record<ConsoleRole, Person>>;
  /** Orders by how they ended; `open` is not paid yet. */
  orders: Readonly<
    Record<'paid' | 'open' | 'expired' | 'review' | 'refunded' | 'disputed' | 'complained' | 'odd', Order>
  >;
  gd_no: string;
  /** Paid, and waiting to be delivered. */
  catalog_order: string;
  card: { payment_no: string };
  test_channel: { payment_no: string };
  client_id: string;
  /** Addresses of every screen: `:name` of the routes replaced by something that is there. */
  screens: { merchant: readonly string[]; platform: readonly string[] };
  stop(): Promise<void>;
}

export interface WorldOptions {
  texts?: Texts;
  /** How many days of business to look back on. */
  days?: number;
  /** Whether the merchant owes: a debt that is written beside the books, which then do not balance. */
  owes?: boolean;
}

const titles = [
  'The Night Sky, 2nd edition',
  'A Field Guide to Lanterns',
  'Tea and Typography',
  'Maps of Places That Moved',
];

export async function openWorld({
  texts = (_, usual) => usual,
  days = 1,
  owes = true,
}: WorldOptions = {}): Promise<World> {
  const receiver = await localReceiver();
  const cardsim = await startCardsim();
  const service = await startTestService({
    env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const platform = await setUpPlatform(service);
  const builder: Builder = { service, cardsim, platform, receiver, texts };
  const channels = await setUpChannels(builder);
  const { admin, people } = await letIn(builder);
  const desk = await consoleOf(service, platform.owner, platform.merchant_no);
  await writeProfile(builder);
  const endpoint = await desk.send('PUT', '/notification-settings', { url: receiver.url(), enabled: true });
  if (endpoint.status !== 200) throw new Error(`endpoint: ${endpoint.text}`);
  const client_id = await addClients(builder, desk);
  const merchant = await merchantOf(service, platform.client);
  await fund(builder);
  const orders = await sell(builder, merchant, days);
  await writeByHand(builder, desk, { people, orders });
  const { gd_no, catalog_order } = await sellProducts(builder, desk);
  await giveUpNotifications(builder, orders.paid);
  if (owes) await makeOwe(service, platform.merchant_no, { recovery: 100_000_000n });
  const screens = screensOf({ platform, orders, gd_no, catalog_order, channels });
  return {
    service,
    cardsim,
    platform,
    merchant,
    desk,
    admin,
    people,
    orders,
    gd_no,
    catalog_order,
    ...channels,
    client_id,
    screens,
    async stop() {
      await service.stop();
      await cardsim.close();
      await receiver.remove();
    },
  };
}

interface Builder {
  service: TestService;
  cardsim: Cardsim;
  platform: Platform;
  receiver: LocalReceiver;
  texts: Texts;
}

type Channels = Pick<World, 'card' | 'test_channel'>;

async function setUpChannels({ service, cardsim, platform, texts }: Builder): Promise<Channels> {
  const rule = { fixed_minor: 30, percent_ppm: 29_000 };
  const card = await addCardChannel(service, cardsim.url, {
    name: texts('channel.name', 'Cards'),
    fees: [{ currency: 'USD', buyer: rule, merchant: { fixed_minor: 0, percent_ppm: 10_000 } }],
    supported_currencies: ['USD'],
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  const test_channel = await addCardChannel(service, cardsim.url, { name: 'Test cards', test_mode: true });
  await service.admin('PUT', `/channels/${test_channel.payment_no}/debug-grants`, {
    merchants: [platform.merchant_no],
    users: [platform.buyer.user_id],
  });
  await addCardChannel(service, cardsim.url, {
    owner: 'merchant',
    merchant_no: platform.merchant_no,
    name: 'Cards of the shop itself',
    enabled: false,
  });
  // Rates have a history.
  await service.admin('PUT', '/rates/USD', { ptk_price: '0.11', valid_until: '2030-01-01T00:00:00Z' });
  await service.admin('PUT', '/rates/USD', { ptk_price: '0.10' });
  return { card, test_channel };
}

/** An administrator, and one person of each role at the merchant. */
async function letIn({ service, platform, texts }: Builder): Promise<Pick<World, 'admin' | 'people'>> {
  const person = { email: 'ada@people.test', password: 'a long enough password' };
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', {
    ...person,
    name: texts('user.name', 'Ada Admin'),
    role: 'admin',
  });
  const desk = await consoleOf(service, platform.owner, platform.merchant_no);
  const others = await Promise.all(
    consoleRoles
      .filter((role) => role !== 'owner')
      .map(async (role) => {
        const added = await addUser(service, `Robin ${role}`);
        await desk.send('POST', '/people', { email: added.email, role });
        return [role, added] as const;
      }),
  );
  await desk.send('POST', '/people', { email: 'invited@people.test', role: 'read-only' });
  const people = Object.fromEntries([['owner', platform.owner], ...others]) as World['people'];
  return { admin: { ...person, user_id }, people };
}

async function writeProfile({ service, platform, texts }: Builder): Promise<void> {
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, {
    name: texts('merchant.name', 'Bookshop'),
    short_description: texts('merchant.short_description', 'Books, maps and gift cards'),
    description: texts('merchant.description', 'A small shop at the harbour, open since 1987.'),
    business_scope: texts('merchant.business_scope', 'Books'),
    contact: texts('merchant.contact', 'help@shop.example'),
    website_url: texts('merchant.website_url', 'https://shop.example/'),
    logo_url: texts('merchant.logo_url', ''),
    hold_days: 7,
  });
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', {
    email: texts('user.email', 'otto.owner@people.test'),
    password: 'a long enough password',
    name: texts('user.name', 'Otto Owner'),
  });
  await service.admin('POST', '/merchants', {
    name: texts('merchant.name', 'Print Works'),
    owner_user_id: user_id,
  });
}

/** Clients with applications: one waits, one was refused. */
async function addClients({ service, texts, platform }: Builder, desk: Console): Promise<string> {
  const apply = async (name: string) => {
    const { body, status, text } = await desk.send<{ client_id: string; application_id: string }>(
      'POST',
      '/clients',
      {
        name: texts('client.name', name),
        type: 'confidential',
        scopes: ['merchant_payments.read', 'products.read'],
        redirect_uris: [texts('client.redirect_uris[]', 'https://shop.example/back')],
      },
    );
    if (status !== 201) throw new Error(`client: ${text}`);
    return body;
  };
  const refused = await apply('Old till');
  await service.admin('POST', `/scope-applications/${refused.application_id}/decision`, {
    decision: 'reject',
    reason: texts('reason', 'Ask for reading alone, please.'),
  });
  await addClient(service, platform.merchant_no, { name: texts('client.name', 'Reader app'), scopes: [] });
  return (await apply('Till at the counter')).client_id;
}

async function fund({ service, platform, texts }: Builder): Promise<void> {
  const at = `/merchants/${platform.merchant_no}`;
  await service.admin('POST', `${at}/guarantee-deposits`, {
    amount_ptk: '50000000000',
    reference: texts('reference', 'guarantee-1'),
  });
  const reason = texts('reason', 'As agreed in March.');
  const bought = { amount_ptk: '90000000000', reference: 'top-up-1', reason };
  await service.admin('POST', `${at}/ptk-top-ups`, bought);
  await service.admin('PATCH', at, { credit_limit_ptk: '20000000000', reason });
  await service.admin('PUT', '/settings', { four_eyes_ptk: '1000000000000' });
  await service.admin('POST', `${at}/ptk-top-ups`, {
    amount_ptk: '1000000000000',
    reference: 'top-up-2',
    reason: texts('reason', 'Bank transfer of a large order'),
  });
  const name = texts('changeSettings.branding.name', 'Paydesk').slice(0, 60).trim();
  await service.admin('PUT', '/settings', { four_eyes_ptk: '0', branding: { name } });
  await service.admin('POST', '/keys', {
    ...{ name: texts('key.name', 'Nightly export'), role: 'auditor', expires_at: '2099-01-01T00:00:00Z' },
    allowed_cidrs: ['203.0.113.0/24'],
  });
  const request = { merchant_no: platform.merchant_no, payout_currency: 'USD', payout_amount: '10.00' };
  for (const reference of ['transfer-1', 'transfer-2']) {
    const asked = await service.admin<{ withdrawal_id: string }>('POST', '/withdrawals', {
      ...request,
      amount_ptk: '10000000000',
      reference,
    });
    if (reference === 'transfer-1') {
      const path = `/withdrawals/${asked.withdrawal_id}/decision`;
      await service.admin('POST', path, { decision: 'paid', reason: texts('reason', 'Bank transfer 4711') });
    }
  }
}

/** Some days of business, then an order for each way in which one can end. */
async function sell(builder: Builder, merchant: Merchant, days: number): Promise<World['orders']> {
  const { service, cardsim, platform, texts } = builder;
  await topUp(service, platform.buyer, 100_000n * 100_000_000n);
  const buyer = await signIn(service, platform.buyer);
  let next = 400;
  const order = (amount: string): Promise<Order> =>
    merchant.order({
      external_reference: texts('order.external_reference', `INV-2026-00${next}`),
      description: texts('order.description', titles[next++ % titles.length] ?? ''),
      amount,
      return_url: texts('order.return_url', 'https://shop.example/thanks?order=1'),
      idempotency_key: texts('order.idempotency_key', `key-${next}`),
    });
  const byPtk = async (amount: string): Promise<Order> => {
    const made = await order(amount);
    await payWithPtk(service, made, buyer);
    return made;
  };
  const byCard = async (amount: string, payment: Json): Promise<{ made: Order; session: string }> => {
    const made = await order(amount);
    const checkout = checkoutOf(service, made);
    const { status, text } = await checkout.start(await checkout.methodOf('cardprov'));
    if (status !== 200) throw new Error(`paying: ${text}`);
    const { items } = await simulate<{ items: { id: string; metadata: Json }[] }>(
      cardsim,
      'GET',
      '/sessions',
    );
    const session = items.find(({ metadata }) => metadata.order_no === made.order_no)?.id ?? '';
    await simulate(cardsim, 'POST', `/sessions/${session}/pay`, payment);
    return { made, session };
  };
  const until = (wanted: Order, ...statuses: string[]): Promise<unknown> =>
    eventually(
      () => merchant.read(wanted.order_no),
      ({ body }) => statuses.includes(body.status),
    );

  for (let day = 1; day < days; day++) {
    for (let nth = 0; nth <= day % 3; nth++) {
      const amount = `${4 + ((day * 7 + nth * 5) % 23)}.90`;
      await ((day + nth) % 4 === 3 ? order(amount) : byPtk(amount));
    }
    await service.advance(86_400);
  }
  const expired = await order('12.00');
  // The provider accepts the call and never answers, so it is unknown whether a payment page exists.
  await simulate(cardsim, 'POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500 });
  const review = await order('18.00');
  const unclear = checkoutOf(service, review);
  await unclear.start(await unclear.methodOf('cardprov'));
  await service.advance(1_900);
  await service.admin('POST', '/jobs/sweep/run');
  await until(expired, 'expired');
  // In review, until the provider is asked.
  await until(review, 'review', 'expired');

  const paid = await byPtk('29.90');
  const refunded = await byPtk('15.00');
  const complained = await byPtk('21.00');
  const disputed = await byCard('33.00', {});
  const odd = (await byCard('40.00', { amount_total: 100 })).made;
  const open = await order('7.50');
  await until(disputed.made, 'paid');
  await simulate(cardsim, 'POST', `/sessions/${disputed.session}/dispute`, { outcome: 'lost' });
  await until(disputed.made, 'chargeback');
  const about = ({ order_no }: Order): string => `/collection-orders/${order_no}`;
  const reason = texts('reason', 'The parcel came back.');
  await service.admin('POST', `${about(refunded)}/refunds`, { reason });
  await service.admin('POST', `${about(complained)}/complaints`, {
    reason: texts('reason', 'The buyer says that nothing arrived.'),
  });
  await eventually(
    () => service.admin<{ items: unknown[] }>('GET', '/cases?state=open'),
    ({ items }) => items.length > 0,
  );
  return { paid, open, expired, review, refunded, disputed: disputed.made, complained, odd };
}

/** Payment links that are open and closed, a scheduled export, and a note of each role that may write one. */
async function writeByHand(
  { service, platform, texts, receiver }: Builder,
  desk: Console,
  { people, orders }: Pick<World, 'people' | 'orders'>,
): Promise<void> {
  const link = (amounts: Json): Promise<{ body: { link: string } }> =>
    desk.send<{ link: string }>('POST', '/payment-links', {
      currency: 'USD',
      description: texts('order.description', 'Workshop in May'),
      external_reference: texts('order.external_reference', 'workshop-may'),
      ...amounts,
    });
  await link({ min_amount: '5', max_amount: '50', expires_at: '2099-01-01T00:00:00Z' });
  const { body } = await link({ amount: '25', max_uses: 20 });
  await desk.send('DELETE', `/payment-links/${body.link}`);
  await link({ amount: '25', max_uses: 20 });
  const scheduled = await desk.send('POST', '/statement-exports', {
    ...{ frequency: 'monthly', time_zone: 'Europe/Berlin', with_pdf: false, user_ids: [] },
    ...{ url: receiver.url('/statements'), paused: false },
  });
  if (scheduled.status !== 201) throw new Error(`export: ${scheduled.text}`);
  const { order_no } = orders.complained;
  for (const role of ['owner', 'finance', 'developer'] as const) {
    const own = await consoleOf(service, people[role], platform.merchant_no);
    const text = texts('note.text', 'The buyer called: it will be found.');
    const { status } = await own.send('POST', `/collection-orders/${order_no}/notes`, { text });
    if (status !== 201) throw new Error(`note: ${status}`);
  }
}

/** A product with tiers, questions and codes, and one order that waits for delivery. */
async function sellProducts(
  { service, platform, texts }: Builder,
  desk: Console,
): Promise<Pick<World, 'gd_no' | 'catalog_order'>> {
  const question = texts('product.other_ipu_cnf[]', 'Deliver to').replaceAll('=', '-').slice(0, 60);
  const made = await desk.send<{ gd_no: string }>('POST', '/products', {
    gd_name: texts('product.gd_name', 'Gift card'),
    gd_description: texts('product.gd_description', 'For any book in the shop.'),
    keywords: texts('product.keywords', 'gift card voucher'),
    buy_prompt: texts('product.buy_prompt', 'Please check the address.'),
    actual_price: '1000000000',
    retail_price: '1200000000',
    currency: 'USD',
    in_stock: 25,
    buy_limit_num: 10,
    enabled: true,
    other_ipu_cnf: [`address=${question}=true=${question}`],
    wholesale_price_cnf: ['5=9.50', '10=8.00'],
  });
  if (made.status !== 201) throw new Error(`product: ${made.text}`);
  const { gd_no } = made.body;
  const scopes = ['orders.create', 'orders.read', 'payments.create', 'payments.read'];
  const client = await addClient(service, platform.merchant_no, { name: 'Reader app', scopes });
  const buyer = shopper(service, await userToken(service, client, platform.buyer.user_id));
  const payment_no = platform.ptk_channel;
  const orders: string[] = [];
  for (const quantity of [1, 5]) {
    const other_ipu = { address: texts('catalog_order.other_ipu.*', 'Harbour Road 7') };
    const order_no = await buyer.order({ gd_no, quantity, payment_no, other_ipu });
    await buyer.pay(order_no, payment_no);
    orders.push(order_no);
  }
  const [first = '', catalog_order = ''] = orders;
  await desk.send('POST', `/catalog-orders/${first}/fulfilment`, {
    note: texts('catalog_order.note', 'It is in the post.'),
  });
  const coded = await desk.send<{ gd_no: string }>('POST', '/products', {
    gd_name: 'Game key',
    actual_price: '2000000000',
    currency: 'USD',
    enabled: true,
  });
  const codes = [texts('product.codes[]', 'AAAA-BBBB'), 'CCCC-DDDD'];
  await desk.send('POST', `/products/${coded.body.gd_no}/codes`, { codes });
  return { gd_no, catalog_order };
}

/** As ten failures do. */
async function giveUpNotifications(
  { service, platform, texts }: Builder,
  { order_no }: Order,
): Promise<void> {
  const error = texts('notification.error', 'the connection was refused');
  await beside(service, (db) =>
    db.query(sql`
      UPDATE notifications SET delivery_status = 'failed', next_attempt_at = NULL,
        last_error = ${error}
      WHERE merchant_id = ${merchantIdOf(platform.merchant_no)} AND order_no = ${order_no}`),
  );
}

function screensOf(of: {
  platform: Platform;
  orders: World['orders'];
  gd_no: string;
  catalog_order: string;
  channels: Channels;
}): World['screens'] {
  const { platform, orders, gd_no, catalog_order, channels } = of;
  const at = `/console/merchants/${platform.merchant_no}`;
  const { order_no } = orders.complained;
  return {
    merchant: [
      at,
      `${at}/orders`,
      `${at}/orders/${order_no}`,
      `${at}/payment-links`,
      `${at}/activity`,
      `${at}/wallet`,
      `${at}/exports`,
      `${at}/reconciliation`,
      `${at}/notification-settings`,
      `${at}/notifications`,
      `${at}/products`,
      `${at}/products/${gd_no}`,
      `${at}/catalog-orders`,
      `${at}/developers`,
      `${at}/developers/quickstart`,
      `${at}/developers/requests`,
      `${at}/settings`,
    ],
    platform: [
      '/platform',
      '/platform/orders',
      `/platform/orders/${order_no}`,
      `/platform/catalog-orders/${catalog_order}`,
      '/platform/cases',
      '/platform/complaints',
      '/platform/withdrawals',
      '/platform/merchant-figures',
      '/platform/approvals',
      '/platform/keys',
      '/platform/settings',
      '/platform/ledger',
      '/platform/merchants',
      `/platform/merchants/${platform.merchant_no}`,
      '/platform/people',
      '/platform/clients',
      '/platform/scope-applications',
      '/platform/channels',
      `/platform/channels/${channels.card.payment_no}`,
      `/platform/channels/${channels.test_channel.payment_no}`,
      '/platform/currencies',
      '/platform/fee-simulator',
      '/platform/workers',
      '/platform/dead-letters',
      '/platform/audit-log',
    ],
  };
}
