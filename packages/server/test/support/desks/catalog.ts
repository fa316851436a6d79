import { randomBytes } from 'node:crypto';
import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { tokenHash } from '../../../src/base/secret-box.ts';
import { foldedOf, gramsOf } from '../../../src/catalog/search/search-text.ts';
import {
  addCardChannel,
  addClient,
  catalogScopes,
  type Client,
  fromAnywhere,
  type Person,
  type Platform,
  setUpPlatform,
  topUp,
} from './platform.ts';
import { type Answer, type Json, request, startTestService, type TestService } from './service.ts';
import { strangeSession } from './cases.ts';
import { beside } from './wallets.ts';

/** An access token as a person would have authorized it, stored with its consent as the authorization server does. */
export async function userToken(
  service: TestService,
  { client_id }: Pick<Client, 'client_id'>,
  user_id: string,
  scopes = catalogScopes,
  lasts_ms = 3_600_000,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date();
  const expires_at = new Date(now.getTime() + lasts_ms);
  await beside(service, async (db) => {
    await db.query(sql`INSERT INTO oauth_consents (user_id, client_id, scopes, given_at)
      VALUES (${user_id}, ${client_id}, ${scopes}, ${now}) ON CONFLICT DO NOTHING`);
    await db.query(sql`INSERT INTO oauth_tokens (token_hash, client_id, user_id, scopes, payload, created_at, expires_at)
      VALUES (${tokenHash(token)}, ${client_id}, ${user_id}, ${scopes}, '{}', ${now}, ${expires_at})`);
  });
  return token;
}

/** Adds a product to a merchant, by name: by default USD 10.00 each, five in stock. */
export async function addProduct(
  service: TestService,
  merchant_no: string,
  members: Json = {},
): Promise<string> {
  const gd_no = `gd_${randomBytes(8).toString('hex')}`;
  const p = {
    gd_name: 'Gift card',
    actual_price: '1000000000',
    currency: 'USD',
    in_stock: 5,
    enabled: true,
    buy_limit_num: 0,
    payment_policy: 'automatic',
    payment_methods: [],
    other_ipu_cnf: [],
    wholesale_price_cnf: [],
    ...members,
  };
  const now = new Date();
  const merchant_id = merchantIdOf(merchant_no) ?? '';
  const folded = foldedOf({ gd_name: p.gd_name, gd_description: '', keywords: '' });
  await beside(service, (db) =>
    db.transaction(async (tx) => {
      await tx.query(sql`INSERT INTO products (merchant_id, gd_no, gd_name, gd_description, keywords, actual_price,
          retail_price, currency, in_stock, buy_limit_num, payment_policy, payment_methods, other_ipu_cnf,
          wholesale_price_cnf, buy_prompt, enabled, created_at, updated_at, supplied)
        VALUES (${merchant_id}, ${gd_no}, ${p.gd_name}, '', '', ${p.actual_price}, '0', ${p.currency}, ${p.in_stock},
          ${p.buy_limit_num}, ${p.payment_policy}, ${p.payment_methods}, ${p.other_ipu_cnf},
          ${p.wholesale_price_cnf}, '', ${p.enabled}, ${now}, ${now}, ${p.in_stock})`);
      await tx.query(sql`INSERT INTO product_search (merchant_id, gd_no, enabled, folded, grams)
        VALUES (${merchant_id}, ${gd_no}, ${p.enabled}, ${folded}, ${gramsOf(merchant_id, folded)})`);
      await tx.query(sql`INSERT INTO catalog_versions (merchant_id, version) VALUES (${merchant_id}, 1)
        ON CONFLICT (merchant_id) DO UPDATE SET version = catalog_versions.version + 1`);
    }),
  );
  return gd_no;
}

export const stockOf = (service: TestService, merchant_no: string, gd_no: string): Promise<number> =>
  beside(service, async (db) => {
    const [row] = await db.query<{ in_stock: number }>(
      sql`SELECT in_stock FROM products WHERE merchant_id = ${merchantIdOf(merchant_no)} AND gd_no = ${gd_no}`,
    );
    return row?.in_stock ?? -1;
  });

/** The members of a catalog order that the tests read. An order has more. */
export interface CatalogOrderJson extends Json {
  order_no: string;
  status: number;
  trade_no: string;
}

export interface SessionJson extends Json {
  trade_no: string;
  redirect: string;
  expire_time: number;
}

/** A person's program at a merchant: the calls of the catalog under one token. */
export interface Shopper {
  token: string;
  send<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  create(body: Json): Promise<Answer<{ order_no: string }>>;
  /** Creates an order; throws unless it is 201. */
  order(body: Json): Promise<string>;
  read(order_no: string): Promise<Answer<CatalogOrderJson>>;
  pay<T = SessionJson>(order_no: string, payment_no: string): Promise<Answer<T>>;
  paymentStatus(order_no: string): Promise<number>;
}

export function shopper(service: TestService, token: string): Shopper {
  const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
    service.send<T>(method, `/openapi/v1/orders${path}`, {
      headers: { authorization: `Bearer ${token}`, ...fromAnywhere() },
      ...(body === undefined ? {} : { body }),
    });
  const create = (body: Json) => send<{ order_no: string }>('POST', '', body);
  return {
    token,
    send,
    create,
    async order(body) {
      const answer = await create(body);
      if (answer.status !== 201) throw new Error(`order: ${answer.status} ${answer.text}`);
      return answer.body.order_no;
    },
    read: (order_no) => send('GET', `/${order_no}`),
    pay: (order_no, payment_no) => send('POST', `/${order_no}/payment`, { payment_no }),
    paymentStatus: async (order_no) =>
      (await send<{ status: number }>('GET', `/${order_no}/payment`)).body.status,
  };
}

/** A shop with a card provider: PTK with a buyer fee, cards with both fees, and a buyer with 100,000 PTK. */
export interface Shop {
  service: TestService;
  cardsim: Cardsim;
  platform: Platform;
  client: Client;
  card: { payment_no: string; webhook_url: string };
  buyer: Person;
  /** The buyer behind a client of their own, so that no limit counts tests together. */
  shopper(person?: Pick<Person, 'user_id'>): Promise<Shopper>;
  product(members?: Json): Promise<string>;
  stock(gd_no: string): Promise<number>;
  sim<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  sessionOf(
    order_no: string,
  ): Promise<{ id: string; client_reference_id: string; amount_total: number } & Json>;
  /**
   * Pays an order whose attempt the provider had refused, through a session that exists nevertheless: a late payment.
   */
  payRefused(order_no: string): Promise<void>;
  /** As `TestService.stop`. */
  stop(written_by_hand?: readonly string[]): Promise<void>;
}

const usdFees = {
  currency: 'USD',
  buyer: { fixed_minor: 30, percent_ppm: 29_000 },
  merchant: { fixed_minor: 10, percent_ppm: 15_000 },
};
const ptkFees = {
  currency: 'PTK',
  buyer: { fixed_minor: 0, percent_ppm: 10_000 },
  merchant: { fixed_minor: 300_000_000, percent_ppm: 0 },
};

/** @param env settings of the service beside the usual ones */
export async function openShop(env: Record<string, string> = {}): Promise<Shop> {
  const cardsim = await startCardsim();
  const service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8', ...env } });
  const platform = await setUpPlatform(service);
  await topUp(service, platform.buyer, 100_000n * 100_000_000n);
  await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { fees: [ptkFees] });
  const card = await addCardChannel(service, cardsim.url, {
    supported_currencies: ['USD'],
    fees: [usdFees],
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  const clientOf = (): Promise<Client> =>
    addClient(service, platform.merchant_no, { name: 'Reader App', scopes: catalogScopes });
  const client = await clientOf();
  const sim = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> =>
    (await request<T>(`${cardsim.url}/_sim${path}`, method, body === undefined ? {} : { body })).body;
  return {
    service,
    cardsim,
    platform,
    client,
    card,
    buyer: platform.buyer,
    sim,
    shopper: async ({ user_id } = platform.buyer) =>
      shopper(service, await userToken(service, await clientOf(), user_id)),
    product: (members) => addProduct(service, platform.merchant_no, members),
    stock: (gd_no) => stockOf(service, platform.merchant_no, gd_no),
    async sessionOf(order_no) {
      const { items } = await sim<{ items: ({ metadata: Json } & Json)[] }>('GET', '/sessions');
      const session = items.find(({ metadata }) => metadata.order_no === order_no);
      if (session === undefined) throw new Error(`no session of ${order_no}`);
      return session as never;
    },
    async payRefused(order_no) {
      const [attempt] = await beside(service, (db) =>
        db.query<{ attempt_id: string; merchant_id: string; amount: bigint }>(
          sql`SELECT attempt_id, merchant_id, amount FROM payment_attempts WHERE order_no = ${order_no}`,
        ),
      );
      if (attempt === undefined) throw new Error(`no attempt of ${order_no}`);
      const { id } = await strangeSession(
        { cardsim },
        {
          client_reference_id: attempt.attempt_id,
          'metadata[order_no]': order_no,
          'metadata[merchant_id]': attempt.merchant_id,
          'line_items[0][price_data][unit_amount]': attempt.amount.toString(),
        },
      );
      await sim('POST', `/sessions/${id}/pay`, {});
    },
    async stop(written_by_hand) {
      await service.stop(written_by_hand);
      await cardsim.close();
    },
  };
}
