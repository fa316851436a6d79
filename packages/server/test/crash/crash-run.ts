import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCardsim } from '@paydesk/cardsim';
import { freePort } from '../support/servers/ports.ts';
import { openReceiver } from '../support/servers/receiver.ts';
import { memoryDirectory, temporaryDirectory } from '../support/run/temporary.ts';
import { testAuthority } from '../support/servers/tls.ts';
import {
  addUp,
  addUpCatalog,
  checkBooks,
  checkOrders,
  ledgerProblems,
  noTotals,
  type Totals,
} from './check-books.ts';
import { checkCatalog } from './check-catalog.ts';
import { openInbox } from './inbox.ts';
import { type Paydesk, paydeskOf } from './paydesk.ts';
import { getTokens, setUpPlatform, signAllIn } from './platform.ts';
import { type Random, randomOf } from '../support/run/random.ts';
import { settle } from './settle.ts';
import { stockShelf } from './shelf.ts';
import type { Shop } from './shop.ts';
import { shopper } from './shopper.ts';

export interface CrashOptions {
  kills: number;
  /** Kills beyond those, a few at once and at most four times as many in all, until the report is as wanted. */
  until?: (report: CrashReport) => boolean;
  /** The seed decides when the kills happen and what the shoppers do. Their interleaving depends on the machine. */
  seed: number;
  /** The one that comes along and dies with the service, or the address of an empty one that keeps running. */
  database: string;
  /** Receives progress messages of one line. */
  log: (line: string) => void;
  /** Keeps the data and logs of a failed run for analysis. */
  keep_broken?: boolean;
}

export interface CrashReport extends Omit<Totals, 'spent_ptk' | 'settled_ptk'> {
  seed: number;
  kills: number;
  /** Kills that met the service while it was starting. */
  kills_at_start: number;
  lost_creations: number;
  lost_starts: number;
  repeated_calls: number;
  events: number;
  deliveries: number;
  /** From starting the process to serving, in milliseconds. */
  starts_ms: { median: number; most: number };
  took_ms: number;
  /** The parts of that time: kills, waiting until everything is finished, and checks. */
  phases_ms: Phases;
  /** Broken promises; empty if there are none. */
  problems: string[];
}

interface Phases {
  kills: number;
  settling: number;
  checks: number;
}

export const embedded = 'embedded';

/** After this number of kills everything is settled and checked, so that a long run does not grow. */
const killsPerRound = 30;
/** In each further round. */
const killsAtOnce = 5;
const shoppers = 8;
/** The provider repeats its webhooks for as long as a run may need. */
const webhookRetryDelaysMs = [200, 400, 800, ...Array.from({ length: 60 }, () => 1_500)];

/**
 * Kills the service at random moments under load, restarts it each time, and checks that it kept every promise:
 * acknowledged data exists, nothing happened twice, the books balance, and every status change was notified.
 *
 * @throws if the service does not restart, or ends by itself
 */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const began = performance.now();
  const home = await temporaryDirectory('crash', await memoryDirectory());
  const undo: (() => Promise<unknown>)[] = [];
  let isSound = false;
  try {
    const run = await open(options, home.path, undo);
    const report = (): CrashReport => reportOf(run, options.seed, performance.now() - began);
    const isEnough = (): boolean => run.kills >= 4 * options.kills || options.until?.(report()) !== false;
    while (run.kills < options.kills || !isEnough()) {
      const told = run.shop.problems.length;
      const left = options.kills - run.kills;
      await round(run, left > 0 ? Math.min(killsPerRound, left) : killsAtOnce);
      for (const problem of run.shop.problems.slice(told)) options.log(problem);
      options.log(
        `${run.kills} kills, ${run.totals.orders} orders, ${run.totals.catalog.orders} from the catalog, ${run.shop.problems.length} problems, ${((performance.now() - began) / 1_000).toFixed(1)} s`,
      );
    }
    isSound = run.shop.problems.length === 0;
    return report();
  } finally {
    for (const step of undo.reverse()) await step();
    if (isSound || options.keep_broken !== true) await home.remove();
    else options.log(`data and logs are left in ${home.path}`);
  }
}

interface Run {
  shop: Shop;
  random: Random;
  totals: Totals;
  kills: number;
  kills_at_start: number;
  starts_ms: number[];
  phases_ms: Phases;
}

/** Starts everything that survives the kills, and the service for the first time. */
async function open(
  { seed, database, log }: CrashOptions,
  home: string,
  undo: (() => Promise<unknown>)[],
): Promise<Run> {
  const authority = await testAuthority();
  const receiver = await openReceiver(authority);
  undo.push(() => receiver.close());
  const cardsim = await startCardsim({ webhookRetryDelaysMs });
  undo.push(() => cardsim.close());
  const paydesk = await service(home, authority.cert, database);
  undo.push(() => paydesk.stop());
  const first_ms = await paydesk.start();
  log(`first start: ${Math.round(first_ms)} ms, seed ${seed}`);
  const shop: Shop = {
    paydesk,
    platform: await setUpPlatform(paydesk, cardsim),
    cardsim,
    inbox: openInbox(receiver, randomBytes(16).toString('hex')),
    records: [],
    shelf: [],
    purchases: [],
    returning: new Set(),
    problems: [],
    counts: { lost_creations: 0, lost_starts: 0, lost_reads: 0, repeated_calls: 0 },
    closed: false,
  };
  return {
    shop,
    random: randomOf(seed),
    totals: noTotals(),
    kills: 0,
    kills_at_start: 0,
    starts_ms: [],
    phases_ms: { kills: 0, settling: 0, checks: 0 },
  };
}

async function service(home: string, ca: string, database: string): Promise<Paydesk> {
  const port = await freePort();
  const ca_file = join(home, 'receivers.pem');
  await writeFile(ca_file, ca);
  const admin_key = randomBytes(16).toString('hex');
  return paydeskOf(`http://127.0.0.1:${port}`, admin_key, {
    PORT: String(port),
    PAYDESK_DATA_DIR: join(home, 'data'),
    PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    PAYDESK_ADMIN_KEY: admin_key,
    PAYDESK_TEST_CLOCK: '1',
    PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
    PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
    PAYDESK_NOTIFY_CA_FILE: ca_file,
    ...(database === embedded ? {} : { DATABASE_URL: database }),
  });
}

/** Some kills under load, and the reckoning. */
async function round(run: Run, kills: number): Promise<void> {
  const { shop, random } = run;
  const { paydesk, problems } = shop;
  const began = performance.now();
  await signAllIn(paydesk, shop.platform);
  paydesk.door.open();
  shop.shelf = await stockShelf(shop);
  shop.closed = false;
  const shopping = Array.from({ length: shoppers }, () => shopper(shop, randomOf(random.next() * 2 ** 32)));
  // Awaited below. This handler prevents an unhandled rejection until then.
  for (const one of shopping) one.catch(() => undefined);
  for (let kill = 0; kill < kills; kill++) await killOnce(run);
  shop.closed = true;
  await Promise.all(shopping);
  const killed = performance.now();

  const { details, sold } = await settle(shop);
  const settled = performance.now();
  // Settling has moved the clock by half an hour and more.
  await getTokens(paydesk, shop.platform);
  await checkOrders(shop, details);
  addUp(run.totals, details);
  addUpCatalog(run.totals, shop.purchases, await checkCatalog(shop, sold));
  await checkBooks(shop, run.totals);
  const verified = await paydesk.run('verify-ledger');
  if (verified.code !== 0) problems.push(`verify-ledger: ${verified.output}`);
  problems.push(...shop.inbox.problems.splice(0), ...paydesk.complaints.splice(0));
  shop.inbox.forget(shop.records.map(({ order_no }) => order_no));
  shop.records = [];
  shop.purchases = [];
  run.phases_ms.kills += killed - began;
  run.phases_ms.settling += settled - killed;
  run.phases_ms.checks += performance.now() - settled;
}

/** One in so many kills meets a service that was killed before, while it starts again. */
const atStart = 8;

async function killOnce(run: Run): Promise<void> {
  const { shop, random, starts_ms } = run;
  const { paydesk, problems } = shop;
  const usual_ms = starts_ms.at(-1) ?? 0;
  if (usual_ms > 0 && random.between(1, atStart) === 1) {
    await paydesk.kill();
    await paydesk.startAndKill(random.next() * usual_ms);
    run.kills_at_start++;
  } else {
    await new Promise((resolve) => setTimeout(resolve, random.between(50, 1_500)));
    await paydesk.kill();
  }
  run.kills++;
  starts_ms.push(await paydesk.start());
  problems.push(...(await ledgerProblems(paydesk)));
  paydesk.door.open();
}

function reportOf(
  { shop, totals, kills, kills_at_start, starts_ms, phases_ms }: Run,
  seed: number,
  took_ms: number,
): CrashReport {
  const { orders, paid_by_ptk, paid_by_card, expired, catalog } = totals;
  const { lost_creations, lost_starts, repeated_calls } = shop.counts;
  const { events, requests } = shop.inbox.counts();
  const sorted = [...starts_ms].sort((a, b) => a - b);
  return {
    seed,
    kills,
    kills_at_start,
    orders,
    paid_by_ptk,
    paid_by_card,
    expired,
    catalog,
    lost_creations,
    lost_starts,
    repeated_calls,
    events,
    deliveries: requests,
    starts_ms: {
      median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
      most: Math.round(sorted.at(-1) ?? 0),
    },
    took_ms: Math.round(took_ms),
    phases_ms: {
      kills: Math.round(phases_ms.kills),
      settling: Math.round(phases_ms.settling),
      checks: Math.round(phases_ms.checks),
    },
    problems: shop.problems,
  };
}
