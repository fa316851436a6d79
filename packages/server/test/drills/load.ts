import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { judge, type Violation } from '../chaos/check-history.ts';
import { type Market, runClient } from '../chaos/clients.ts';
import { type Desk, type DeskOptions, openDesk, start_ms } from '../chaos/desk.ts';
import type { Call, CallKind, History } from '../chaos/history.ts';
import { emptyHistory } from '../chaos/history.ts';
import { type Inbox, openInbox } from '../chaos/receivers.ts';
import { finalWallets, readWallets, settle } from '../chaos/settle.ts';
import { type Platform, setUpPlatform, signAllIn } from '../crash/platform.ts';
import { randomOf } from '../support/run/random.ts';
import type { DrillOptions, DrillResult } from './drill.ts';

/**
 * The load of the drills: clients create orders, pay them from wallets and by card, read and refund them, and a receiver
 * takes the notifications. At the end every order is looked up and compared with what was acknowledged.
 */

/** What a drill has in its hands while clients are at work. `inbox` takes notifications of orders that it creates itself. */
export interface LoadedScene extends Scene {
  inbox: Inbox;
}

/** The platform, and what was seen of it. */
export interface Scene {
  desk: Desk;
  platform: Platform;
  /** Every request so far with its answer, and every notification. */
  history: History;
}

export interface LoadOptions {
  /** Which processes there are; default two that answer requests and one worker. */
  desk?: DeskOptions;
  /** Number of clients; default 6. */
  clients?: number;
  /** Load before and after the fault, in milliseconds; default 5 s each. */
  lead_ms?: number;
  tail_ms?: number;
}

/** What was disturbed must serve again within this time. */
const recovery_ms = 60_000;

/**
 * Opens a whole platform, puts it under load, runs `inject`, waits until all processes are ready again, and then checks
 * everything. Notifications are never refused here, so each should arrive once.
 *
 * @param inject injects the fault and undoes it; what it returns is returned as `injected`
 */
export async function runUnderLoad<T>(
  { seed, logs, log }: DrillOptions,
  { desk: of = { webs: 2, workers: 1 }, clients = 6, lead_ms = 5_000, tail_ms = 5_000 }: LoadOptions,
  inject: (scene: LoadedScene) => Promise<T>,
): Promise<{ result: DrillResult; history: History; injected: T }> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const desk = await openDesk(new Set(), undo, { logs, ...of });
    // The first brings the schema up to date.
    for (const one of desk.processes) {
      await one.start();
      await desk.untilReady([one], start_ms);
    }
    const platform = await setUpPlatform(desk, desk.provider_link);
    await signAllIn(desk, platform);
    const history = emptyHistory();
    const before = await readWallets(desk, platform);
    log(`${desk.processes.length} processes serve at ${desk.url}, ${clients} clients`);
    const load = startLoad({ desk, platform, history }, { seed, clients });
    await pause(lead_ms);
    const injected = await inject({ desk, platform, history, inbox: load.inbox });
    await desk.untilReady(desk.processes, recovery_ms);
    await pause(tail_ms);
    await load.stop();
    log(`${history.calls.length} requests; now the platform finishes its work`);
    await settle(desk, history);
    history.wallets.push(...finalWallets(platform, before, await readWallets(desk, platform)));
    const books = await desk.run('verify-ledger');
    const result = resultOf(history);
    const problems = [...(result.problems ?? []), ...desk.bad_stops];
    const last = books.output.trim().split('\n').at(-1) ?? '';
    if (books.code !== 0) problems.push(`verify-ledger ended with ${String(books.code)}: ${last}`);
    return { result: { ...result, problems, told: [...result.told, last] }, history, injected };
  } finally {
    for (const step of undo.reverse()) {
      await step().catch((error: unknown) => {
        log(String(error));
      });
    }
  }
}

/** Starts clients. `stop` lets each end the order that it is at. */
export function startLoad(
  { desk, platform, history }: Scene,
  { seed, clients }: { seed: number; clients: number },
): { inbox: Inbox; stop: () => Promise<void> } {
  const { url, admin_key, provider_url } = desk;
  const inbox = openInbox(desk.receiver, history, null, randomBytes(16).toString('hex'));
  const market: Market = {
    ...{ url, admin_key, platform, cardsim_url: provider_url, inbox, history, closed: false },
    under_way: new Set(),
  };
  const shopping = Array.from({ length: clients }, (_, i) =>
    runClient(market, `client-${i + 1}`, randomOf(seed + i)),
  );
  // They are awaited at the end, and may fail before.
  for (const one of shopping) one.catch(() => undefined);
  return {
    inbox,
    async stop() {
      market.closed = true;
      await Promise.all(shopping);
    },
  };
}

/** Whether a request had no answer, or one that says that the service failed. */
export const hasFailed = ({ status }: Call): boolean => status === 0 || status >= 500;

/** Failed requests by their kind and answer, with their numbers, such as `pay 503`. */
function failuresOf({ calls }: History): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, status } of calls.filter(hasFailed)) {
    const name = `${kind} ${status === 0 ? 'no answer' : status}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The longest that a request waited for its answer, in milliseconds. */
export const slowestAnswer = ({ calls }: History): number =>
  calls.reduce((most, { from_ms, to_ms }) => Math.max(most, to_ms - from_ms), 0);

/** Deliveries of a notification that had arrived before. */
export function repeatedDeliveries({ receipts }: History): number {
  return receipts.length - new Set(receipts.map(({ notification_id }) => notification_id)).size;
}

/**
 * The longest time in which requests of a kind waited or failed, and none of them succeeded. It begins with the first
 * request that waits after a success, or with that success if one waits already, and ends with the next success.
 */
export function longestOutage(calls: readonly Call[], kind: CallKind): number {
  const own = calls.filter((call) => call.kind === kind).sort((a, b) => a.to_ms - b.to_ms);
  let longest = 0;
  let success = Number.NEGATIVE_INFINITY;
  let begin = Number.POSITIVE_INFINITY;
  for (const call of own) {
    begin = Math.min(begin, Math.max(call.from_ms, success));
    longest = Math.max(longest, call.to_ms - begin);
    if (hasFailed(call)) continue;
    success = call.to_ms;
    begin = Number.POSITIVE_INFINITY;
  }
  return longest;
}

const kinds: readonly CallKind[] = ['create', 'read', 'open', 'pay', 'refund'];

/** The rules of the observer whose violations are losses, and those whose violations are doublings. */
const losses: readonly Violation['rule'][] = ['read-your-writes', 'payment-for-receipt'];
const doublings: readonly Violation['rule'][] = ['one-order-per-key', 'one-event-per-payment', 'money'];

/** The figures of a complete history: `orders` and `wallets` say how everything ended. */
export function resultOf(history: History): DrillResult {
  const violations = judge(history);
  const { calls, receipts } = history;
  const created = calls.filter(({ kind, status }) => kind === 'create' && status === 201);
  const counted = (of: readonly Violation['rule'][]): Violation[] =>
    violations.filter(({ rule }) => of.includes(rule));
  const outages = kinds.map((kind) => ({ kind, ms: longestOutage(calls, kind) }));
  const paid = history.orders.filter(({ order }) => order.event_id !== null);
  return {
    acknowledged: new Set(created.map(({ order_no }) => order_no)).size,
    lost: counted(losses).length,
    doubled: counted(doublings).length,
    failed: calls.filter(hasFailed).length,
    longest_outage_ms: Math.max(...outages.map(({ ms }) => ms)),
    told: [
      `${calls.length} requests, ${paid.length} orders paid, ${receipts.length} notifications`,
      `outages: ${outages.map(({ kind, ms }) => `${kind} ${(ms / 1_000).toFixed(1)} s`).join(', ')}`,
      `failed: ${[...failuresOf(history)].map(([name, count]) => `${count} ${name}`).join(', ') || 'none'}`,
      `slowest answer: ${(slowestAnswer(history) / 1_000).toFixed(1)} s`,
      ...counted([...losses, ...doublings])
        .slice(0, 20)
        .map(({ rule, words }) => `${rule}: ${words}`),
    ],
    problems: violations
      .filter(({ rule }) => !losses.includes(rule) && !doublings.includes(rule))
      .slice(0, 20)
      .map(({ rule, words }) => `${rule}: ${words}`),
  };
}
