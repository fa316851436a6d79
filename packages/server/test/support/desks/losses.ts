import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { selectCasesOfOrder } from '../../../src/payments/cases/case.sql.ts';
import { type LocalReceiver, localReceiver } from '../notifications/notify.ts';
import { simulate } from './own-channel.ts';
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
  topUp,
  type Person,
} from './platform.ts';
import {
  type Answer,
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from './service.ts';
import { beside, linesOn, walletOf } from './wallets.ts';

export const day_s = 24 * 3_600;

/** The fees of section 3.7: of USD 10.00 the buyer pays 10.60 and the merchant nets 97.4 PTK. */
const usd = {
  currency: 'USD',
  buyer: { fixed_minor: 30, percent_ppm: 29_000 },
  merchant: { fixed_minor: 10, percent_ppm: 15_000 },
};
/** Of 100 PTK the buyer pays 101, and the merchant nets 97. */
const ptk = {
  currency: 'PTK',
  buyer: { fixed_minor: 0, percent_ppm: 10_000 },
  merchant: { fixed_minor: 300_000_000, percent_ppm: 0 },
};

/** A service, a card provider and a receiver, for tests of refunds, complaints and disputes. */
export interface LossDesk {
  service: TestService;
  cardsim: Cardsim;
  platform: Platform;
  receiver: LocalReceiver;
  /** The buyer's session. */
  cookie: string;
  card: { payment_no: string; webhook_url: string };
  /** Makes a call of the administration API and returns the answer, also errors. */
  send<T = Json>(path: string, body: unknown): Promise<Answer<T>>;
  sim<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  /** A call of the provider's own API, as from its dashboard: without parameters it reads. */
  provider(path: string, params?: Record<string, string>): Promise<Json>;
  /** The balance of a buyer. */
  buyerFunds(): Promise<bigint>;
  stop(): Promise<void>;
}

export async function openLossDesk(
  database_limits: TestServiceOptions['database_limits'] = {},
  env: Record<string, string> = {},
): Promise<LossDesk> {
  const receiver = await localReceiver();
  const cardsim = await startCardsim();
  const service = await startTestService({
    env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32', ...env },
    database_limits,
  });
  const platform = await setUpPlatform(service);
  await topUp(service, platform.buyer, 100_000n * 100_000_000n);
  await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { fees: [ptk] });
  const card = await addCardChannel(service, cardsim.url, { supported_currencies: ['USD'], fees: [usd] });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  const headers = { authorization: 'Bearer test-administration-key' };
  return {
    service,
    cardsim,
    platform,
    receiver,
    cookie: await signIn(service, platform.buyer),
    card,
    send: (path, body) => service.send('POST', `/admin/v1${path}`, { headers, body }),
    sim: (method, path, body) => simulate(cardsim, method, path, body),
    async provider(path, params) {
      const answer = await request(`${cardsim.url}/v1${path}`, params === undefined ? 'GET' : 'POST', {
        ...(params === undefined ? {} : { raw: new URLSearchParams(params).toString() }),
        headers: {
          authorization: 'Bearer sk_live_simulated',
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
      return answer.body;
    },
    async buyerFunds() {
      const { user_id } = platform.buyer;
      const { available_ptk } = await service.admin<{ available_ptk: string }>(
        'GET',
        `/users/${user_id}/wallet`,
      );
      return BigInt(available_ptk);
    },
    async stop() {
      await service.stop();
      await cardsim.close();
      await receiver.remove();
    },
  };
}

/** The members of an order in the administration API that these tests read. */
export interface LossDetail extends Json {
  money: { hold: Json | null };
  refunds: (Json & { refund_id: string; status: string })[];
  complaints: (Json & { complaint_id: string; status: string; dispute_id: string | null })[];
}

/** A card payment as the simulator knows it. */
export interface CardPaid {
  order: Order;
  session_id: string;
  payment_id: string;
}

/** A merchant with these funds, whose orders are USD 10.00. */
export interface Shop {
  owner: Person;
  merchant_no: string;
  merchant: Merchant;
  byCard(body?: Json): Promise<CardPaid>;
  byPtk(body?: Json): Promise<Order>;
  /** An unpaid order. */
  unpaid(): Promise<Order>;
  wallet(): Promise<Json>;
  /** The postings of an order, without its settlement; `ORDER` stands for its number. */
  lines(order: Order): Promise<string[]>;
  detail(order: Order): Promise<LossDetail>;
  /** Open cases, oldest first: kind, amount in minor units, and reason. */
  cases(order: Order): Promise<string[]>;
  refund<T = Json>(order: Order, body?: unknown): Promise<Answer<T & { refund_id: string; status: string }>>;
  complain(order: Order, body?: unknown): Promise<Answer<Json & { complaint_id: string; status: string }>>;
  decide(complaint_id: string, body: Json): Promise<Answer>;
  /** The order once it has this status. */
  until(order: Order, status: string): Promise<Order>;
}

export async function openShop(
  desk: LossDesk,
  {
    hold_days = 1,
    guarantee = 0n,
    available = 0n,
    role = 'user',
  }: { hold_days?: number; guarantee?: bigint; available?: bigint; role?: string } = {},
): Promise<Shop> {
  const { service, cookie } = desk;
  const owner = await addUser(service, 'Lou Losses', role);
  const { merchant_no } = await addMerchant(service, owner, { hold_days });
  const merchant = await busyMerchant(service, merchant_no, 1);
  const add = (path: string, amount: bigint): Promise<Json> =>
    service.admin('POST', `/merchants/${merchant_no}/${path}`, {
      amount_ptk: amount.toString(),
      reference: randomBytes(8).toString('hex'),
      reason: 'for the test',
    });
  if (guarantee > 0n) await add('guarantee-deposits', guarantee);
  if (available > 0n) await add('ptk-top-ups', available);

  const until = async (order: Order, status: string): Promise<Order> =>
    (
      await eventually(
        () => merchant.read(order.order_no),
        ({ body }) => body.status === status,
      )
    ).body;
  return {
    ...{ owner, merchant_no, merchant, until },
    async byCard(body) {
      const order = await merchant.order({ ...notifying(desk), ...body });
      const checkout = checkoutOf(service, order);
      expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
      const { items } = await desk.sim<{ items: (Json & { id: string; metadata: Json })[] }>(
        'GET',
        '/sessions',
      );
      const session = items.find(({ metadata }) => metadata.order_no === order.order_no);
      if (session === undefined) throw new Error('no session');
      const paid = await desk.sim<{ payment_intent: string }>('POST', `/sessions/${session.id}/pay`, {});
      return {
        order: await until(order, 'paid'),
        session_id: session.id,
        payment_id: paid.payment_intent,
      };
    },
    async byPtk(body) {
      const order = await merchant.order({ ...notifying(desk), ...body });
      await payWithPtk(service, order, cookie);
      return (await merchant.read(order.order_no)).body;
    },
    unpaid: () => merchant.order(),
    wallet: () => walletOf(service, merchant_no),
    async lines({ order_no }) {
      const lines = (await linesOn(service, order_no)).map(String);
      return lines.filter((line) => !/^P[12] /.test(line)).map((line) => line.replaceAll(order_no, 'ORDER'));
    },
    detail: ({ order_no }) => service.admin('GET', `/collection-orders/${order_no}`),
    async cases({ order_no }) {
      const merchant_id = merchantIdOf(merchant_no) ?? '';
      const cases = await beside(service, (db) => selectCasesOfOrder(db, merchant_id, order_no));
      return cases
        .map(
          ({ kind, amount, currency, detail }) => `${kind} ${amount ?? ''} ${currency ?? ''}: ${detail.why}`,
        )
        .reverse();
    },
    refund: ({ order_no }, body = { reason: 'returned goods' }) =>
      desk.send(`/collection-orders/${order_no}/refunds`, body),
    complain: ({ order_no }, body = { reason: 'never arrived' }) =>
      desk.send(`/collection-orders/${order_no}/complaints`, body),
    decide: (complaint_id, body) =>
      desk.send(`/complaints/${complaint_id}/decision`, { reason: 'looked into it', ...body }),
  };
}

export const notify_secret = 'a-secret-of-more-than-32-bytes-for-tests';

const notifying = ({ receiver }: LossDesk): Json => ({
  notify_enabled: true,
  notify_url: receiver.url(),
  notify_secret,
});
