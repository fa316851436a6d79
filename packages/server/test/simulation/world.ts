import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { monotonicFactory } from 'ulid';
import { sealed } from '../../src/base/sealed-columns.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import { logAct } from '../../src/base/audit/index.ts';
import { formatMinor } from '../../src/base/money.ts';
import { type Database, raw, sql, type Tx } from '../../src/base/pg/index.ts';
import { changeSettings } from '../../src/base/settings/index.ts';
import { type IdSource, merchantNo } from '../../src/base/ids.ts';
import type { LiveCache } from '../../src/base/caches/live-cache.ts';
import type { Logger } from '../../src/base/log.ts';
import { secretBox } from '../../src/base/secret-box.ts';
import type { CatalogOrderDeps } from '../../src/catalog/orders/deps.ts';
import { isCatalogOrderNo } from '../../src/catalog/orders/order.ts';
import { catalogKind } from '../../src/catalog/orders/payable-order.ts';
import { type CardProvider, createCardProvider } from '../../src/channels/card/card-provider.ts';
import type { Channel, FeeRule, FeeRules } from '../../src/channels/channel.ts';
import { createChannels } from '../../src/channels/cached-channels.ts';
import { createChannel } from '../../src/channels/save-channel.ts';
import type { CollectionDeps } from '../../src/collection/orders/deps.ts';
import { collectionKind } from '../../src/collection/orders/payable-order.ts';
import { createCurrencies } from '../../src/currencies/read-currencies.ts';
import { setCurrency, setRate } from '../../src/currencies/set-currency.ts';
import { topUp } from '../../src/ledger/wallets/top-up.ts';
import { createFindMerchant } from '../../src/merchants/read-merchants.ts';
import { createMerchant } from '../../src/merchants/save-merchant.ts';
import type { PaymentDeps } from '../../src/payments/engine/deps.ts';
import type { Random } from '../support/run/random.ts';
import { sampleChannel, samplePtkChannel } from '../support/desks/samples.ts';
import { addProducts, type Product } from './products.ts';
import { scheduledDatabase, scheduledProvider } from './scheduled-database.ts';
import type { Actor } from './scheduler.ts';
import { listeningLogs } from './listening-log.ts';

const key = Buffer.alloc(32, 7);
export const webhook_secret = 'whsec_simulation';

/** When each seed begins. */
export const begins_at = new Date('2026-03-01T08:00:00Z');

/** A clock that stands still until it is moved. Leases and sessions follow it as well. */
export class StandingClock implements Clock {
  #at_ms: number;

  constructor(at: Date) {
    this.#at_ms = at.getTime();
  }

  now(): Date {
    return new Date(this.#at_ms);
  }

  real(): Date {
    return this.now();
  }

  advance(seconds: number): void {
    this.#at_ms += seconds * 1_000;
  }
}

export interface Currency {
  code: string;
  decimals: number;
}

export const currencies: readonly [Currency, ...Currency[]] = [
  { code: 'USD', decimals: 2 },
  { code: 'JPY', decimals: 0 },
  { code: 'KWD', decimals: 3 },
  { code: 'XBT', decimals: 8 },
];

export interface Shop {
  merchant_id: string;
  owner_user_id: string;
  hold_days: number;
}

/** The dependencies of the use cases for one actor. */
export interface Deps {
  payments: PaymentDeps;
  orders: CollectionDeps;
  catalog: CatalogOrderDeps;
}

/** How the provider's lists are. */
export interface Lists {
  /** Until when they lag behind; null where they never did. */
  lag_until: Date | null;
  /** The attempts whose session a look-up missed meanwhile. */
  missed: Set<string>;
}

/** One seed's platform: its own merchants, buyers and channels, its own card provider, its own time. */
export interface World {
  random: Random;
  clock: StandingClock;
  ids: IdSource;
  db: Database;
  cardsim: Cardsim;
  shops: readonly [Shop, ...Shop[]];
  buyers: readonly [string, ...string[]];
  channels: readonly [Channel, ...Channel[]];
  products: readonly [Product, ...Product[]];
  lists: Lists;
  /** Logged errors of the service, each of which reports a defect. */
  complaints: string[];
  /** The dependencies of the use cases, with each statement waiting for the actor's turn. */
  deps(actor: Actor): Deps;
  close(): Promise<void>;
}

/** Ids and secrets come from the seed, so that sorting by them gives the same order each time. */
function seededIds(random: Random): IdSource {
  const ulid = monotonicFactory(() => random.next());
  const bytes = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => random.between(0, 255)));
  return {
    ulid: (at) => ulid(at.getTime()),
    uuid() {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    secret: (count) => bytes(count).toString('base64url'),
  };
}

/**
 * Caches everything: the configuration does not change within a seed, and cached values need no wait, so that
 * concurrent work has the same order each time.
 */
const lastingCache = (): LiveCache => ({
  keyed(load) {
    const known = new Map<string, ReturnType<typeof load>>();
    return (key) => {
      const loading = known.get(key) ?? load(key);
      known.set(key, loading);
      return loading;
    };
  },
  onChange: () => Promise.resolve(),
  announce: () => Promise.resolve(),
  clear: () => undefined,
  stop: () => Promise.resolve(),
});

export async function createWorld(random: Random, db: Database): Promise<World> {
  await empty(db);
  const clock = new StandingClock(begins_at);
  const ids = seededIds(random);
  const cardsim = await startCardsim({
    now: () => clock.now().getTime(),
    // The ids of the events at which sessions expire come from the seed too.
    ticks: false,
    random: (size) => Uint8Array.from({ length: size }, () => random.between(0, 255)),
  });
  const box = secretBox([key]);
  const cards = createCardProvider(box);
  const buyers = [ids.uuid(), ids.uuid(), ids.uuid()] as const;
  const shops = [shop(0), shop(1), shop(7)] as const;
  const channels = channelsOf();
  await fill();
  const products = await addProducts({ db, clock, ids, box }, [shops[0].merchant_id, shops[1].merchant_id]);
  const complaints: string[] = [];
  const logOf = listeningLogs(complaints);
  const lists: Lists = { lag_until: null, missed: new Set() };
  const readers = await openReaders(db, shops, channels);

  function shop(hold_days: number): Shop {
    return { merchant_id: ids.uuid(), owner_user_id: ids.uuid(), hold_days };
  }

  function feeRule(): FeeRule {
    return {
      fixed_minor: BigInt(random.pick([0, 0, 0, 1, 30])),
      percent_ppm: random.pick([0, 0, 1, 15_000, 29_000, 250_000]),
      cap_minor: random.pick([null, null, 0n, 50n]),
    };
  }

  function fees(codes: readonly string[], buyerPays: boolean): Map<string, FeeRules> {
    const none: FeeRule = { fixed_minor: 0n, percent_ppm: 0, cap_minor: null };
    return new Map(codes.map((code) => [code, { buyer: buyerPays ? feeRule() : none, merchant: feeRule() }]));
  }

  function channelsOf(): readonly [Channel, ...Channel[]] {
    const codes = currencies.map(({ code }) => code);
    const card = (payment_no: string, merchant_id: string | null): Channel =>
      sampleChannel({
        payment_no,
        merchant_id,
        api_base: cardsim.url,
        supported_currencies: codes,
        fees: fees(codes, merchant_id === null),
        secret_key_box: box.seal(`sk_live_${payment_no}`, sealed.channelKey.row({ payment_no })),
        webhook_secret_box: box.seal(webhook_secret, sealed.webhookSecret.row({ payment_no })),
        webhook_key: `wk_${payment_no}`,
        created_at: clock.now(),
      });
    return [
      samplePtkChannel({ fees: fees(['PTK'], true), created_at: clock.now() }),
      card('ch_card', null),
      card('ch_own_0', shops[0].merchant_id),
      card('ch_own_1', shops[1].merchant_id),
    ];
  }

  /** The platform's own setting, posted and stored as administrators do it. */
  async function fill(): Promise<void> {
    const now = clock.now();
    await db.transaction(async (tx) => {
      for (const { code, decimals } of [...currencies, { code: 'PTK', decimals: 8 }]) {
        const max_minor = 9_007_199_254_740_991n;
        await setCurrency(tx, { code, decimals, enabled: true, min_minor: 1n, max_minor });
      }
      for (const [code, price_e12] of [
        ['USD', 100_000_000_000n],
        ['JPY', 15_000_000_000_000n],
        ['KWD', 31_234_567_891n],
        ['XBT', 1_234_567n],
      ] as const) {
        await setRate(tx, { currency: code, price_e12, valid_until: null });
        const after = { code, ptk_price: formatMinor(price_e12, 12), valid_until: null };
        const act = { actor: 'key', action: 'rate.set' };
        await logAct(tx, { clock, ids }, act, { target: `rate:${code}`, before: null, after });
      }
      await addBuyersApp(tx, now);
      await allowTopUps(tx, now);
      for (const user_id of buyers) {
        const amount_ptk = BigInt(random.pick([1, 10, 400])) * 10_000_000_000n;
        if (amount_ptk > 0n)
          await topUp(tx, { to: { user_id }, amount_ptk, reference: user_id, paid: null }, now);
      }
      for (const { merchant_id, owner_user_id, hold_days } of shops) {
        const credit_limit_ptk = BigInt(random.pick([0, 100_000_000, 100_000_000_000]));
        await createMerchant(
          tx,
          merchant_id,
          { name: 'Shop', owner_user_id, hold_days, credit_limit_ptk },
          now,
        );
        const amount_ptk = BigInt(random.pick([0, 1, 100])) * 1_000_000_000n;
        if (amount_ptk > 0n)
          await topUp(tx, { to: { merchant_id }, amount_ptk, reference: merchant_id, paid: null }, now);
        const notify_secret_box = box.seal('n'.repeat(32), sealed.merchantNotifySecret.row({ merchant_id }));
        await tx.query(
          sql`UPDATE merchants SET notify_url = 'https://shop.example/notify', notify_enabled = true,
            notify_secret_box = ${notify_secret_box} WHERE merchant_id = ${merchant_id}`,
        );
      }
      for (const channel of channels) await createChannel(tx, channel);
    });
  }

  /** The people who buy products, and the app by which they do. */
  async function addBuyersApp(tx: Tx, now: Date): Promise<void> {
    for (const user_id of buyers) {
      const email = `${user_id}@people.test`;
      await tx.query(
        sql`INSERT INTO users (user_id, email, email_key, name, role, password_hash, created_at)
          VALUES (${user_id}, ${email}, ${email}, 'Buyer', 'user', '', ${now})`,
      );
    }
    await tx.query(
      sql`INSERT INTO oauth_clients (client_id, merchant_id, name, type, scopes, redirect_uris, disabled, created_at)
        VALUES ('cl_simulation', ${shops[0].merchant_id}, 'App', 'public', '{}', '{}', false, ${now})`,
    );
  }

  /** People top up through the first shop, which is the platform's own: its owner works there. */
  async function allowTopUps(tx: Tx, now: Date): Promise<void> {
    const [{ owner_user_id, ...shop }] = shops;
    await tx.query(
      sql`INSERT INTO users (user_id, email, email_key, name, role, password_hash, created_at)
        VALUES (${owner_user_id}, 'own@people.test', 'own@people.test', 'Owner', 'finance', '', ${now})`,
    );
    const max_per_day = random.pick([null, null, '50000000000']);
    const top_up = { enabled: true, merchant_no: numberOf({ ...shop, owner_user_id }), max_per_day };
    await changeSettings(tx, { top_up });
  }

  /** While the lists lag, nothing is found in them. */
  function lagging(provider: CardProvider): CardProvider {
    return {
      ...provider,
      findSession: async (channel, attempt_id, ...times) => {
        const found = await provider.findSession(channel, attempt_id, ...times);
        const { lag_until, missed } = lists;
        if (found.kind !== 'found' || lag_until === null || clock.now() >= lag_until) return found;
        missed.add(attempt_id);
        return { kind: 'none' };
      },
    };
  }

  return {
    random,
    clock,
    ids,
    db,
    cardsim,
    shops,
    buyers,
    channels,
    products,
    lists,
    complaints,
    deps: (actor) => depsOf({ db, clock, ids, box, cards: lagging(cards), readers, logOf }, actor),
    close: () => cardsim.close(),
  };
}

/** The readers of the configuration, outside any actor's turn. */
type Readers = Pick<CollectionDeps, 'channels' | 'currencies' | 'findMerchant'>;

/** Everything is read once before anything happens. */
async function openReaders(
  db: Database,
  shops: readonly Shop[],
  channels: readonly Channel[],
): Promise<Readers> {
  const cache = lastingCache();
  const readers = {
    channels: createChannels(db, cache),
    currencies: createCurrencies(db, cache),
    findMerchant: createFindMerchant(db, cache),
  };
  for (const { code } of [...currencies, { code: 'PTK' }]) {
    await readers.currencies.currency(code);
    await readers.currencies.rate(code);
  }
  for (const { payment_no, webhook_key } of channels) {
    await readers.channels.find(payment_no);
    if (webhook_key !== null) await readers.channels.byWebhookKey(webhook_key);
  }
  for (const { merchant_id } of shops) {
    await readers.channels.of(merchant_id);
    await readers.findMerchant(merchant_id);
  }
  return readers;
}

interface Parts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: ReturnType<typeof secretBox>;
  cards: CardProvider;
  readers: Readers;
  logOf: (isDead: () => boolean) => Logger;
}

function depsOf(parts: Parts, actor: Actor): Deps {
  const { db: plain, clock, ids, box, cards, readers, logOf } = parts;
  const db = scheduledDatabase(plain, actor);
  const log = logOf(() => actor.crashed);
  const collection = collectionKind(ids);
  const catalog = catalogKind();
  const payments: PaymentDeps = {
    db,
    clock,
    ids,
    log,
    box,
    channels: readers.channels,
    cards: scheduledProvider(cards, actor),
    kindOf: (order_no) => (isCatalogOrderNo(order_no) ? catalog : collection),
    public_url: 'http://127.0.0.1:8080',
    lease_ms: 12_000,
    wait_ms: 0,
  };
  const forOrders: CatalogOrderDeps = {
    ...{ db, clock, ids, log, box, ...readers, kindOf: payments.kindOf },
    queueMail: () => [],
  };
  const orders: CollectionDeps = {
    ...forOrders,
    vetNotifyUrl: () => Promise.resolve(),
    hasLostKeys: () => Promise.resolve(false),
    isClientSecret: () => Promise.resolve(false),
  };
  return { payments, orders, catalog: forOrders };
}

/** The number of a shop, as the administration knows it. */
export const numberOf = ({ merchant_id }: Shop): string => merchantNo(merchant_id);

/**
 * Removes the rows of an earlier seed, including the empty files: equal rows are read in their stored order, which must
 * be the same each time. Empty tables are skipped, because truncating all takes as long as a seed.
 */
async function empty(db: Database): Promise<void> {
  const [tables] = await db.query<{ names: string | null }>(
    sql`SELECT string_agg(format('%I', relname), ', ') AS names FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
        AND relname NOT IN ('schema_migrations', 'config_version', 'test_clock')`,
  );
  const names = tables?.names ?? null;
  if (names === null) return;
  await db.transaction(async (tx) => {
    // Without the triggers that refuse this.
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(sql`TRUNCATE ${raw(names)}`);
  });
}
