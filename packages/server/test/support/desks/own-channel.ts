import type { Cardsim } from '@paydesk/cardsim';
import { createHash, randomBytes } from 'node:crypto';
import {
  addCardChannel,
  addMerchant,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
} from './platform.ts';
import type { Person } from './platform.ts';
import { type Answer, type Json, request, type TestService } from './service.ts';
import { walletOf } from './wallets.ts';

/** The fee of an order of USD 10.00 on an own channel: 0.26 USD, at 0.10 USD a PTK. */
export const fee = 260_000_000n;

/** An answer without its instants: their seconds may read like an amount. */
export const withoutTimes = (text: string): string => text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"time"');

/** A merchant with an account of its own at the card provider, and the actions of its tests. */
export interface OwnShop {
  merchant_no: string;
  merchant: Merchant;
  card: { payment_no: string; webhook_url: string };
  secret_key: string;
  /** An order that only this channel can pay, by default. */
  order(body?: Json): Promise<Order>;
  /** Starts the card payment as a guest. */
  start(order: Order): Promise<Answer<{ redirect_url: string; error?: string }>>;
  /** The non-zero balances of the wallet, without the limit. */
  wallet(): Promise<Json>;
  topUp(amount_ptk: bigint): Promise<void>;
  setLimit(credit_limit_ptk: bigint): Promise<void>;
  /** The calls that the provider saw from this account. */
  calls(): Promise<Json[]>;
  /** The sessions that the provider holds of an order, oldest first. */
  sessions(order: Order): Promise<(Json & { id: string })[]>;
  /** Pays an order's session; by default the first, with the webhook delivered before this returns. */
  pay(order: Order, options?: Json & { session?: number }): Promise<Json & { id: string }>;
  /** The postings of an order's fee: name, from where to where, how much. */
  postings(order: Order): Promise<string[]>;
  /** The states of the reservations for an order, newest first. */
  reservations(order: Order): Promise<Json[]>;
}

const usd = {
  currency: 'USD',
  buyer: { fixed_minor: 0, percent_ppm: 0 },
  merchant: { fixed_minor: 26, percent_ppm: 0 },
};

/** Calls the control API of a simulator. */
export async function simulate<T = Json>(
  cardsim: Cardsim,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const options = body === undefined ? {} : { body };
  const answer = await request<T>(`${cardsim.url}/_sim${path}`, method, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Sets up a merchant with its own card channel, a webhook under its own secret, and these funds. */
export async function openOwnShop(
  service: TestService,
  cardsim: Cardsim,
  owner: Person,
  { available = 0n, credit = 0n, channel = {} }: { available?: bigint; credit?: bigint; channel?: Json } = {},
): Promise<OwnShop> {
  const name = randomBytes(6).toString('hex');
  const secret_key = `sk_live_${name}`;
  const webhook_secret = `whsec_${name}`;
  const { merchant_no } = await addMerchant(service, owner, { name: `Shop ${name}` });
  const card = await addCardChannel(service, cardsim.url, {
    owner: 'merchant',
    merchant_no,
    name: `Cards of ${name}`,
    supported_currencies: ['USD'],
    fees: [usd],
    config: { api_base: cardsim.url, secret_key, webhook_secret },
    ...channel,
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: webhook_secret, account: secret_key });
  const merchant = await busyMerchant(service, merchant_no, 1);
  const account = `acct_${createHash('sha256').update(secret_key).digest('hex').slice(0, 24)}`;

  const detail = ({ order_no }: Order) =>
    service.admin<{ postings: Record<string, string>[]; fee_reservations: Json[] }>(
      'GET',
      `/collection-orders/${order_no}`,
    );
  const shop: OwnShop = {
    merchant_no,
    merchant,
    card,
    secret_key,
    order: (body = {}) => merchant.order({ payment_no: card.payment_no, ...body }),
    async start(order) {
      const checkout = checkoutOf(service, order);
      return checkout.start(await checkout.methodOf('cardprov'));
    },
    async wallet() {
      const { credit_limit_ptk: _, ...balances } = await walletOf(service, merchant_no);
      return balances;
    },
    async topUp(amount_ptk) {
      const reference = randomBytes(8).toString('hex');
      const body = { amount_ptk: amount_ptk.toString(), reference, reason: 'as agreed' };
      await service.admin('POST', `/merchants/${merchant_no}/ptk-top-ups`, body);
    },
    async setLimit(credit_limit_ptk) {
      const body = { credit_limit_ptk: credit_limit_ptk.toString(), reason: 'as agreed' };
      await service.admin('PATCH', `/merchants/${merchant_no}`, body);
    },
    async calls() {
      const { items } = await simulate<{ items: Json[] }>(cardsim, 'GET', '/requests');
      return items.filter((call) => call.account === account);
    },
    async sessions({ order_no }) {
      const { items } = await simulate<{ items: (Json & { id: string; metadata: Json })[] }>(
        cardsim,
        'GET',
        '/sessions',
      );
      return items.filter(({ metadata }) => metadata.order_no === order_no);
    },
    async pay(order, { session = 0, ...options } = {}) {
      const found = (await shop.sessions(order))[session];
      if (found === undefined) throw new Error(`no session of ${order.order_no}`);
      await simulate(cardsim, 'POST', `/sessions/${found.id}/pay`, { webhook: 'early', ...options });
      return found;
    },
    postings: async (order) =>
      (await detail(order)).postings.map(({ posting, debit, credit, amount_minor }) =>
        `${posting} ${debit} > ${credit} ${amount_minor}`.replaceAll(order.order_no, 'ORDER'),
      ),
    reservations: async (order) => (await detail(order)).fee_reservations,
  };
  if (available > 0n) await shop.topUp(available);
  if (credit > 0n) await shop.setLimit(credit);
  return shop;
}
