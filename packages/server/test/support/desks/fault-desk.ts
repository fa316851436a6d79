import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { later, seconds } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { type CardProvider, createCardProvider } from '../../../src/channels/card/card-provider.ts';
import type { Channel } from '../../../src/channels/channel.ts';
import { createChannel } from '../../../src/channels/save-channel.ts';
import { insertOrder } from '../../../src/collection/orders/order.sql.ts';
import { collectionKind } from '../../../src/collection/orders/payable-order.ts';
import { readOrder } from '../../../src/collection/reading/read-order.ts';
import { announce } from '../../../src/collection/orders/status-notification.ts';
import { topUp } from '../../../src/ledger/wallets/top-up.ts';
import { createMerchant } from '../../../src/merchants/save-merchant.ts';
import { receiveCardWebhook } from '../../../src/payments/webhooks/receive-webhook.ts';
import type { PaymentDeps } from '../../../src/payments/engine/deps.ts';
import { createChannelSlots, type ChannelSlots } from '../../../src/payments/engine/channel-slots.ts';
import { insertQuotes } from '../../../src/payments/quotes/quote.sql.ts';
import { selectAttempts } from '../../../src/payments/attempts/attempt.sql.ts';
import { beginWebhooks } from '../../../src/payments/webhooks/process-webhooks.ts';
import { beginDueChecks } from '../../../src/payments/card/check-due-attempts.ts';
import { startPayment } from '../../../src/payments/starting/start-payment.ts';
import { freshDatabase } from '../servers/database.ts';
import { calls, type Endpoint } from './fault-rules.ts';
import { owner_id, sampleChannel, sampleOrder, sampleQuote } from './samples.ts';
import { expectBalancedBooks, type Json, request } from './service.ts';

/** How long an order of these tests lives. */
export const life_s = 600;

/** How long a call waits that is answered, and one that hangs. The first is longer than any answer takes on a busy machine. */
const [answered_ms, hanging_ms] = [30_000, 500];

const box = secretBox([Buffer.alloc(32, 7)]);
const ids = systemIds();
const collection = collectionKind(ids);
const log = pino({ level: 'silent' });
const cards = createCardProvider(box, answered_ms);
const hanging = createCardProvider(box, hanging_ms);

/** A request of ours to the provider. */
export type Call = (typeof calls)[Endpoint];

/** How a process meets its end, or the passing of time, within a call. */
export interface Upset {
  call: Call;
  /** The process dies once the answer is there, before it could do anything about it. */
  dies?: boolean;
  /** By the time the answer is there it is so many seconds after the order's creation. */
  until_s?: number;
  /** Actions of others before the first answer arrives. */
  meanwhile?: () => Promise<void>;
}

/** One order of a merchant with its own account at the provider, and with its own clock. */
export interface FaultOrder {
  order_no: string;
  /** Sets the time, in seconds from the order's creation. */
  at(s: number): void;
  /** The next call of this kind goes wrong. */
  arm(fault: Json): Promise<void>;
  /** The buyer confirms the method. Returns the result, or the code of the error. */
  start(upset?: Upset): Promise<string>;
  /** The merchant reads the order. */
  read(): Promise<string>;
  /** The buyer pays at the provider; no webhook tells of it. */
  pay(how?: Json): Promise<void>;
  /** An asynchronous payment comes to its end. */
  settleAsync(outcome: 'succeeded' | 'failed'): Promise<void>;
  /** The session as the provider shows it. */
  session(): Promise<Json>;
  /** The provider tells of the session. */
  tell(): Promise<void>;
  /** A worker processes the provider's webhooks. */
  follow(upset?: Upset): Promise<void>;
  /** A worker processes due work. */
  reconcile(upset?: Upset): Promise<void>;
  /** How often the provider was asked for this so far. */
  asked(endpoint: string): Promise<number>;
  /** How all of it ended. */
  end(): Promise<End>;
}

/** The end of a story: the order, its attempt, the provider's sessions, the fee, the books and the notifications. */
export interface End {
  /** The states in the notifications; the last is the order's state. */
  statuses: string[];
  attempt: string | null;
  /** The sessions that the provider holds, by their status. */
  sessions: string[];
  reservation: string | null;
  postings: string[];
}

export interface FaultDesk {
  open(): Promise<FaultOrder>;
  stop(): Promise<void>;
}

export async function openFaultDesk(): Promise<FaultDesk> {
  const cardsim = await startCardsim();
  const database = await freshDatabase();
  // Two processes take turns, so that one continues the other's work.
  const processes = [0, 1].map(() => openDatabase({ url: database.url, max: 5 }));
  const channels = new Set<string>();
  let opened = 0;
  return {
    open: () => openOrder({ cardsim, processes, channels }, opened++),
    async stop() {
      await Promise.all(processes.map((db) => db.close()));
      // The orders and their attempts are stored without channels' histories, at a time of the test's own.
      const differences = ['attempt_differs', 'case_differs', 'order_differs', 'quote_differs'];
      const db = openDatabase({ url: database.url, max: 1 });
      await expectBalancedBooks(db, differences);
      await db.close();
      await database.drop();
      await cardsim.close();
    },
  };
}

interface Desk {
  cardsim: Cardsim;
  processes: Database[];
  /** Of all orders: each is worked on without the others, whose time is another. */
  channels: Set<string>;
}

async function openOrder(desk: Desk, number: number): Promise<FaultOrder> {
  const { cardsim, channels } = desk;
  const began = new Date();
  const merchant_id = `0190c1a0-0000-7000-8000-${(number + 4_096).toString(16).padStart(12, '0')}`;
  const secret_key = `sk_live_fault${number}`;
  const account = `acct_${createHash('sha256').update(secret_key).digest('hex').slice(0, 24)}`;
  const order_no = `mp_${ids.ulid(began)}`;
  const payment_no = `ch_fault${number}`;
  const channel = sampleChannel({
    payment_no,
    merchant_id,
    api_base: cardsim.url,
    secret_key_box: box.seal(secret_key, sealed.channelKey.row({ payment_no })),
    webhook_secret_box: box.seal('whsec_faults', sealed.webhookSecret.row({ payment_no })),
    webhook_key: `wk_fault${number}`,
  });
  channels.add(channel.payment_no);
  let now = began;
  let provider = cards;
  let turn = number;
  const nextProcess = (): Database => desk.processes[turn++ % desk.processes.length] as Database;
  const clock = { now: () => now, real: () => now };
  const db = nextProcess();
  await setUp(db, merchant_id, channel, order_no, began);

  const control = async <T = Json>(method: string, path: string, body?: Json): Promise<T> => {
    const answer = await request<T>(`${cardsim.url}/_sim${path}`, method, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const sessions = async (): Promise<(Json & { id: string; status: string })[]> => {
    const headers = { authorization: `Bearer ${secret_key}` };
    const answer = await request<{ data: (Json & { id: string; status: string })[] }>(
      `${cardsim.url}/v1/checkout/sessions`,
      'GET',
      { headers },
    );
    return answer.body.data;
  };
  const session = async (): Promise<Json & { id: string }> => {
    const [first] = await sessions();
    if (first === undefined) throw new Error('no session');
    return first;
  };
  const set = (s: number): void => {
    now = later(began, seconds(s));
  };

  /** Lets a process work until it is done, or dead. */
  const work = async (upset: Upset | undefined, task: (deps: PaymentDeps) => Promise<string>) => {
    let die = (): void => undefined;
    const died = new Promise<string>((resolve) => {
      die = () => {
        resolve('dead');
      };
    });
    const deps: PaymentDeps = {
      db: nextProcess(),
      clock,
      ids,
      log,
      box,
      cards: upset === undefined ? provider : upsetBy(provider, upset, set, die),
      channels: {
        of: () => Promise.resolve([channel]),
        find: () => Promise.resolve(channel),
        byWebhookKey: () => Promise.resolve(channel),
      },
      kindOf: () => collection,
      public_url: 'https://pay.example',
      lease_ms: seconds(12),
      wait_ms: 0,
    };
    return Promise.race([task(deps), died]);
  };
  const inSlots = async (
    upset: Upset | undefined,
    begin: (deps: PaymentDeps, slots: ChannelSlots) => Promise<number>,
  ): Promise<void> => {
    await work(upset, async (deps) => {
      const slots = createChannelSlots();
      const others = [...channels].filter((payment_no) => payment_no !== channel.payment_no);
      await begin(deps, { ...slots, full: () => others });
      await slots.idle();
      return 'done';
    });
  };
  return {
    order_no,
    at: set,
    async arm(fault) {
      const call = calls[fault.endpoint as Endpoint];
      if (/^hang/.test(String(fault.mode))) provider = { ...cards, [call]: hanging[call] };
      await control('POST', '/faults', { ...fault, account: secret_key });
    },
    start: (upset) =>
      work(upset, async (deps) => {
        try {
          const input = { merchant_id, order_no, method_id: 'pm_card', user_id: null };
          return (await startPayment(deps, input)).kind;
        } catch (error) {
          return (error as { code?: string }).code ?? String(error);
        }
      }),
    read: async () => (await readOrder({ db, clock, ids, log }, merchant_id, order_no)).status,
    async pay(how = {}) {
      const { id } = await session();
      await control('POST', `/sessions/${id}/pay`, { webhook: 'none', ...how });
    },
    async settleAsync(outcome) {
      const { id } = await session();
      await control('POST', `/sessions/${id}/settle-async`, { outcome });
    },
    session,
    async tell() {
      const event = {
        id: `evt_${ids.ulid(now)}`,
        type: 'checkout.session.completed',
        data: { object: await session() },
      };
      const body = JSON.stringify(event);
      const signature = signatureHeader(body, 'whsec_faults', Math.floor(now.getTime() / 1_000));
      await work(undefined, async (deps) => {
        await receiveCardWebhook(deps, channel.webhook_key ?? '', Buffer.from(body), signature);
        return 'stored';
      });
    },
    follow: (upset) => inSlots(upset, beginWebhooks),
    reconcile: (upset) => inSlots(upset, beginDueChecks),
    async asked(endpoint) {
      const { items } = await control<{ items: Json[] }>('GET', '/requests');
      return items.filter((call) => call.account === account && call.endpoint === endpoint).length;
    },
    async end() {
      const told = await db.query<{ body: string }>(
        sql`SELECT body FROM notifications WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
          ORDER BY status_version`,
      );
      const statuses = told.map(({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status);
      const status = (await readOrder({ db, clock, ids, log }, merchant_id, order_no)).status;
      if (status !== statuses.at(-1)) statuses.push(`but says ${status}`);
      const attempts = await selectAttempts(db, merchant_id, order_no);
      const reserved = await db.query<{ state: string }>(
        sql`SELECT state FROM payment_fee_reservations WHERE merchant_id = ${merchant_id}`,
      );
      const posted = await db.query<{ posting: string }>(
        sql`SELECT posting FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND subject = ${order_no}
          ORDER BY posting, leg`,
      );
      return {
        statuses,
        attempt: attempts.length === 0 ? null : attempts.map(({ state }) => state).join(', '),
        sessions: (await sessions()).map((session) => session.status),
        reservation: reserved.length === 0 ? null : reserved.map(({ state }) => state).join(', '),
        postings: posted.map(({ posting }) => posting),
      };
    },
  };
}

/** A merchant with PTK 100 for fees, and an order of USD 10.00 that costs a fee of PTK 2.6. */
function setUp(
  db: Database,
  merchant_id: string,
  channel: Channel,
  order_no: string,
  began: Date,
): Promise<void> {
  const order = sampleOrder({
    merchant_id,
    order_no,
    created_at: began,
    expires_in: life_s,
    expires_at: later(began, seconds(life_s)),
    notify_url: 'https://shop.example/hook',
    notify_secret_box: box.seal(
      'a secret of the shop',
      sealed.orderNotifySecret.row({ merchant_id, order_no }),
    ),
  });
  return db.transaction(async (tx) => {
    await createMerchant(tx, merchant_id, { name: 'Faulty', owner_user_id: owner_id }, began);
    await createChannel(tx, channel);
    await topUp(tx, { to: { merchant_id }, amount_ptk: 10n ** 10n, reference: order_no, paid: null }, began);
    const { payment_no } = channel;
    const quote = sampleQuote({ payment_no, owner: 'merchant', buyer_fee: 0n });
    const quotes = insertQuotes(merchant_id, order_no, [quote]);
    await tx.write([insertOrder(order), quotes, ...announce(order, ids, began)]);
  });
}

/** The provider, with an event that hits the process during one kind of call. */
function upsetBy(
  cards: CardProvider,
  { call, dies, until_s, meanwhile }: Upset,
  set: (s: number) => void,
  die: () => void,
): CardProvider {
  const never = new Promise<never>(() => undefined);
  const asked = (cards[call] as (...args: unknown[]) => Promise<unknown>).bind(cards);
  let others = meanwhile;
  return {
    ...cards,
    [call]: async (...args: unknown[]) => {
      const answer = await asked(...args);
      await others?.();
      others = undefined;
      if (until_s !== undefined) set(until_s);
      if (dies !== true) return answer;
      die();
      return never;
    },
  };
}
