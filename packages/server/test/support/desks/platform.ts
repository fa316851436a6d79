import { randomBytes } from 'node:crypto';
import type { Answer, Json, TestService } from './service.ts';

/** A platform set up through the administration API: currencies, a merchant with a client, a buyer, channels. */
export interface Platform {
  merchant_no: string;
  owner: Person;
  buyer: Person;
  client: Client;
  ptk_channel: string;
}

export interface Person {
  user_id: string;
  email: string;
  password: string;
}

/** Someone who can pay from their wallet. */
export interface Payer extends Person {
  /** Their session, as a `Cookie` header. */
  cookie: string;
}

export interface Client {
  client_id: string;
  client_secret: string;
}

export const allScopes = ['merchant_payments.create', 'merchant_payments.read'];
/** Of a program that buys from the catalog for people. */
export const catalogScopes = ['orders.create', 'orders.read', 'payments.create', 'payments.read'];

export const onePtk = 100_000_000n;

const zero = { fixed_minor: 0, percent_ppm: 0 };
export const free = { buyer: zero, merchant: zero };

/** 1 PTK = 0.10 USD = 15 JPY = 0.03 KWD. */
export async function setUpPlatform(service: TestService): Promise<Platform> {
  const admin = service.admin.bind(service);
  for (const [code, decimals] of [
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['PTK', 8],
  ] as const) {
    await admin('PUT', `/currencies/${code}`, { decimals, enabled: true });
  }
  for (const [code, ptk_price] of [
    ['USD', '0.10'],
    ['JPY', '15'],
    ['KWD', '0.03'],
  ] as const) {
    await admin('PUT', `/rates/${code}`, { ptk_price });
  }
  const owner = await addUser(service, 'Olga Owner');
  const buyer = await addUser(service, 'Bo Buyer');
  await topUp(service, buyer, 1_000n * onePtk);
  const { payment_no } = await admin<{ payment_no: string }>('POST', '/channels', {
    owner: 'platform',
    provider: 'ptk',
    name: 'PTK wallet',
    currency: 'PTK',
    enabled: true,
    fees: [{ currency: 'PTK', ...free }],
  });
  const { merchant_no } = await addMerchant(service, owner, { name: 'Bookshop' });
  const client = await addClient(service, merchant_no);
  return { merchant_no, owner, buyer, client, ptk_channel: payment_no };
}

export async function addUser(service: TestService, name: string, role = 'user'): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@people.test`;
  const password = randomBytes(9).toString('base64url');
  const wanted = { email, password, name, role };
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', wanted);
  return { user_id, email, password };
}

export async function topUp(service: TestService, { user_id }: Person, amount_ptk: bigint): Promise<void> {
  await service.admin('POST', `/users/${user_id}/ptk-top-ups`, {
    amount_ptk: amount_ptk.toString(),
    reference: randomBytes(8).toString('hex'),
    reason: 'for the test',
  });
}

/** A person with this much in their wallet, signed in. */
export async function addPayer(service: TestService, name: string, amount_ptk: bigint): Promise<Payer> {
  const person = await addUser(service, name);
  await topUp(service, person, amount_ptk);
  return { ...person, cookie: await signIn(service, person) };
}

export function addMerchant(
  service: TestService,
  owner: Person,
  settings: Json = {},
): Promise<{ merchant_no: string }> {
  return service.admin('POST', '/merchants', { name: 'Shop', owner_user_id: owner.user_id, ...settings });
}

export function addClient(
  service: TestService,
  merchant_no: string | null,
  settings: Json = {},
): Promise<Client> {
  return service.admin('POST', '/clients', {
    merchant_no,
    type: 'confidential',
    name: 'Shop server',
    scopes: allScopes,
    redirect_uris: [],
    ...settings,
  });
}

/** A card channel on a simulator, by default for USD, JPY and KWD without fees. */
export function addCardChannel(
  service: TestService,
  cardsim_url: string,
  settings: Json = {},
): Promise<{ payment_no: string; webhook_url: string }> {
  return service.admin('POST', '/channels', {
    owner: 'platform',
    provider: 'cardprov',
    name: 'Card',
    currency: 'USD',
    enabled: true,
    supported_currencies: ['USD', 'JPY', 'KWD'],
    fees: ['USD', 'JPY', 'KWD'].map((currency) => ({ currency, ...free })),
    config: { api_base: cardsim_url, secret_key: 'sk_live_simulated', webhook_secret: 'whsec_simulated' },
    ...settings,
  });
}

export async function tokenFor(
  service: TestService,
  { client_id, client_secret }: Client,
  scope = allScopes.join(' '),
): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
  const { status, body, text } = await service.send<{ access_token: string }>('POST', '/oauth/token', {
    raw: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (status !== 200) throw new Error(`token: ${status} ${text}`);
  return body.access_token;
}

/** The merchant's side: the collection-order calls under one client's token. */
export interface Merchant {
  token: string;
  create<T = Order>(body: Json): Promise<Answer<T>>;
  /** Creates an order with a fresh key; throws unless it is 201. */
  order(body?: Json): Promise<Order>;
  read(order_no: string): Promise<Answer<Order>>;
  get<T = Json>(path: string): Promise<Answer<T>>;
  send<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

/** The members of an order that the tests read. An order has more. */
export interface Order extends Json {
  order_no: string;
  checkout_url: string;
  status: string;
  expires_at: string;
}

export async function merchantOf(service: TestService, client: Client): Promise<Merchant> {
  const token = await tokenFor(service, client);
  const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
    service.send<T>(method, `/openapi/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    });
  return {
    token,
    send,
    get: (path) => send('GET', path),
    create: (body) => send('POST', '/merchant-payments', body),
    read: (order_no) => send('GET', `/merchant-payments/${order_no}`),
    async order(body = {}) {
      const answer = await send<Order>('POST', '/merchant-payments', { ...validOrder(), ...body });
      if (answer.status !== 201) throw new Error(`order: ${answer.status} ${answer.text}`);
      return answer.body;
    },
  };
}

/** A creation request that is accepted, under a key of its own. */
export const validOrder = (): Json => ({
  external_reference: 'order-1',
  idempotency_key: randomBytes(12).toString('hex'),
  amount: '10.00',
  currency: 'USD',
});

/** The buyer's side of one order, as the page's script speaks. */
export interface Checkout {
  state(): Promise<Answer<CheckoutState>>;
  start<T = Json>(method_id: string): Promise<Answer<T>>;
  /** The method of a channel, by its provider. */
  methodOf(provider: 'ptk' | 'cardprov'): Promise<string>;
}

export interface CheckoutState extends Json {
  status: string;
  attempt: { state: string; method_id: string } | null;
  methods: ({ method_id: string; provider: string; usable: boolean } & Json)[];
}

/**
 * An address of its own for a request, so that limits per address do not count tests together; believed where the
 * service trusts this machine as a proxy.
 */
export const fromAnywhere = (): { 'x-forwarded-for': string } => ({
  'x-forwarded-for': [...randomBytes(3)].reduce((address, byte) => `${address}.${byte}`, '203'),
});

/** @param cookie the buyer's session, from `signIn`; absent: a guest */
export function checkoutOf(service: TestService, order: Order, cookie?: string): Checkout {
  const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
  const fixed = {
    'x-checkout-token': token,
    origin: new URL(service.url).origin,
    ...(cookie === undefined ? {} : { cookie }),
  };
  const path = `/checkout/api/${order.order_no}`;
  const state = (): Promise<Answer<CheckoutState>> =>
    service.send('GET', path, { headers: { ...fixed, ...fromAnywhere() } });
  return {
    state,
    start: (method_id) =>
      service.send('POST', `${path}/payments`, {
        headers: { ...fixed, ...fromAnywhere() },
        body: { method_id },
      }),
    async methodOf(provider) {
      const { body } = await state();
      const method = body.methods.find((candidate) => candidate.provider === provider);
      if (method === undefined) throw new Error(`no ${provider} method: ${JSON.stringify(body)}`);
      return method.method_id;
    },
  };
}

/** Pays an order from the buyer's PTK; throws if it is not paid. */
export async function payWithPtk(service: TestService, order: Order, cookie: string): Promise<void> {
  const checkout = checkoutOf(service, order, cookie);
  const { status, text, body } = await checkout.start(await checkout.methodOf('ptk'));
  if (status !== 200 || body.status !== 'paid') throw new Error(`payment: ${status} ${text}`);
}

/** Signs a person in and gives the session as a `Cookie` header. */
export async function signIn(service: TestService, { email, password }: Person): Promise<string> {
  const answer = await service.send('POST', '/session', {
    body: { email, password },
    headers: { origin: new URL(service.url).origin },
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text}`);
  return (answer.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
}

/** A merchant behind several clients in turn, so that a long table of requests stays within each one's limits. */
export async function busyMerchant(
  service: TestService,
  merchant_no: string,
  clients = 5,
): Promise<Merchant> {
  const merchants: Merchant[] = [];
  for (let i = 0; i < clients; i++) {
    merchants.push(await merchantOf(service, await addClient(service, merchant_no)));
  }
  let turn = 0;
  const next = (): Merchant => {
    const merchant = merchants[turn++ % merchants.length];
    if (merchant === undefined) throw new Error('a merchant has at least one client');
    return merchant;
  };
  return {
    token: next().token,
    create: (body) => next().create(body),
    order: (body) => next().order(body),
    read: (order_no) => next().read(order_no),
    get: (path) => next().get(path),
    send: (method, path, body) => next().send(method, path, body),
  };
}
