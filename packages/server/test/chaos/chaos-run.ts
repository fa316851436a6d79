import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Platform, setUpPlatform, signAllIn } from '../crash/platform.ts';
import { type Random, randomOf } from '../support/run/random.ts';
import { judge } from './check-history.ts';
import { type Market, runClient } from './clients.ts';
import { type Desk, openDesk, start_ms } from './desk.ts';
import {
  chooseFault,
  type Fault,
  type FaultKind,
  longFaults,
  loneFaults,
  processFaults,
  sharedFaults,
} from './faults.ts';
import { type Gate, openGate } from './gate.ts';
import { emptyHistory, type History } from './history.ts';
import type { PaydeskProcess } from './paydesk-process.ts';
import { openInbox } from './receivers.ts';
import { type ChaosReport, type Injected, reportOf } from './report.ts';
import { finalWallets, readWallets, settle } from './settle.ts';

export interface ChaosOptions {
  minutes: number;
  /** With so many faults it ends before its time. */
  faults: number;
  /** Decides which faults there are, and what clients do; what meets what is up to the machine. */
  seed: number;
  kinds: ReadonlySet<FaultKind>;
  clients: number;
  /** Ends the faults before their time: what there is is judged. */
  signal: AbortSignal;
  /** The folder that gets the logs of all processes. */
  logs: string;
  /** Told in a line how it goes. */
  log: (line: string) => void;
  /** Given the whole history at the end. */
  keep?: (history: History) => void;
}

/** What was disturbed must serve again within this time. */
const recovery_ms = 60_000;
/** Between two faults that are measured by themselves, at most. */
const longestWait_ms = 45_000;

interface Run {
  desk: Desk;
  platform: Platform;
  market: Market;
  history: History;
  injected: Injected[];
  gate: Gate;
  log: ChaosOptions['log'];
  /** No further fault begins. */
  isOver: () => boolean;
  /** Processes that a fault is done to now. */
  disturbed: Set<string>;
}

/** Runs the whole platform under faults, lets it come to rest, and has the observer judge what it has seen. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { minutes, faults, seed, signal, log } = options;
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const random = randomOf(seed);
    const run = await open(options, random, undo);
    const { desk, platform, history, injected } = run;
    const before = await readWallets(desk, platform);
    const began = performance.now();
    run.isOver = () =>
      signal.aborted || injected.length >= faults || performance.now() - began >= minutes * 60_000;
    await underFaults(run, options.clients, random);
    const took_ms = performance.now() - began;
    log(`${injected.length} faults in ${inSeconds(took_ms)}; now the platform finishes its work`);
    await desk.untilReady(desk.processes, recovery_ms);
    await desk.provider('DELETE', '/faults');
    await settle(desk, history);
    history.wallets.push(...finalWallets(platform, before, await readWallets(desk, platform)));
    options.keep?.(history);
    const verified = await desk.run('verify-ledger');
    const { refused, complaints, bad_stops } = desk;
    const seen = { history, injected, violations: judge(history), verified, refused, complaints, bad_stops };
    return reportOf({ seed, took_ms, ...seen });
  } finally {
    for (const step of undo.reverse()) {
      await step().catch((error: unknown) => {
        log(String(error));
      });
    }
  }
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

async function open(
  { kinds, logs, log }: ChaosOptions,
  random: Random,
  undo: (() => Promise<unknown>)[],
): Promise<Run> {
  const desk = await openDesk(kinds, undo, { logs });
  // The first brings the schema up to date.
  for (const one of desk.processes) {
    await one.start();
    await desk.untilReady([one], start_ms);
  }
  log(`five processes serve at ${desk.url}`);
  const platform = await setUpPlatform(desk, desk.provider_link);
  await signAllIn(desk, platform);
  const history = emptyHistory();
  const own = randomOf(random.next() * 2 ** 32);
  const inbox = openInbox(desk.receiver, history, own, randomBytes(16).toString('hex'));
  const { url, admin_key, provider_url } = desk;
  const market = {
    ...{ url, admin_key, platform, cardsim_url: provider_url, inbox, history, closed: false },
    under_way: new Set<Promise<unknown>>(),
  };
  const gate = openGate();
  return {
    desk,
    platform,
    market,
    history,
    injected: [],
    gate,
    log,
    isOver: () => false,
    disturbed: new Set(),
  };
}

async function underFaults(run: Run, clients: number, random: Random): Promise<void> {
  const seeded = (): Random => randomOf(random.next() * 2 ** 32);
  const shopping = Array.from({ length: clients }, (_, i) =>
    runClient(run.market, `client-${i + 1}`, seeded()),
  );
  // Awaited below; what fails meanwhile is not unheard of.
  for (const one of shopping) one.catch(() => undefined);
  await pause(2_000);
  await Promise.all([
    processLane(run, processFaults, seeded()),
    processLane(run, longFaults, seeded()),
    sharedLane(run, seeded()),
    loneLane(run, seeded()),
  ]);
  run.market.closed = true;
  await Promise.all(shopping);
}

/** Faults of one process, one after the other; the process of another lane gets none. */
async function processLane(run: Run, choices: typeof processFaults, random: Random): Promise<void> {
  const { desk, disturbed, gate } = run;
  while (!run.isOver()) {
    const one = random.pick(desk.processes);
    const fault = chooseFault(choices, desk, random, one);
    if (fault === null) return;
    await pause(random.between(200, 1_500));
    if (!mayDisturb(run, one)) continue;
    disturbed.add(one.name);
    await gate.beside(() => inject(run, fault, [one]));
    disturbed.delete(one.name);
  }
}

/** At any time one web process gets no fault. */
function mayDisturb({ desk, disturbed }: Run, one: PaydeskProcess): boolean {
  if (disturbed.has(one.name)) return false;
  const left = desk.processes.filter(({ role, name }) => role === 'web' && !disturbed.has(name));
  return one.role === 'worker' || left.length > 1;
}

/** Faults of what all processes share. */
async function sharedLane(run: Run, random: Random): Promise<void> {
  const { desk, gate } = run;
  while (!run.isOver()) {
    const fault = chooseFault(sharedFaults, desk, random, desk.processes[0]);
    if (fault === null) return;
    await pause(random.between(200, 1_500));
    await gate.beside(() => inject(run, fault, []));
  }
}

/** Faults that are measured by themselves, from a platform that is well. */
async function loneLane(run: Run, random: Random): Promise<void> {
  const { desk, gate } = run;
  while (!run.isOver()) {
    const fault = chooseFault(loneFaults, desk, random, desk.processes[0]);
    if (fault === null) return;
    await pauseUnlessOver(run, random.next() * longestWait_ms);
    if (run.isOver()) return;
    await gate.alone(async () => {
      try {
        await desk.database.untilSynchronous();
        await desk.untilReady(desk.processes, recovery_ms);
      } catch (error) {
        noteUnwell(run, fault, error);
        return;
      }
      // The effects of earlier faults have ended, and a later fault does not touch a call of this time.
      await pause(4_000);
      await endOfCalls(run);
      await inject(run, fault, desk.processes);
      await endOfCalls(run);
      if (fault.kind.endsWith('failover')) await desk.database.rebuildStandby();
    });
  }
}

/** Waits until every call that is under way now has ended; others begin meanwhile. */
async function endOfCalls({ market }: Run): Promise<void> {
  await Promise.all(market.under_way);
}

async function pauseUnlessOver({ isOver }: Run, ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until && !isOver();) await pause(200);
}

/** The platform was not well within the time before a fault that is measured by itself: a problem of the run. */
function noteUnwell({ injected, log }: Run, { kind, target }: Fault, error: unknown): void {
  const at = performance.now();
  const problem = `not begun: ${error instanceof Error ? error.message : String(error)}`;
  injected.push({ kind, target, from_ms: at, undone_ms: at, recovered_ms: null, problem });
  log(`${injected.length}. ${kind}, ${target}: ${problem}`);
}

/** Injects one fault and waits until what it touched is ready again. */
async function inject(run: Run, fault: Fault, touched: readonly PaydeskProcess[]): Promise<void> {
  const { desk, injected, log, disturbed } = run;
  const { kind, target } = fault;
  const entry: Injected = {
    ...{ kind, target, from_ms: performance.now(), undone_ms: 0, recovered_ms: null, problem: '' },
  };
  injected.push(entry);
  try {
    await fault.run();
    entry.undone_ms = performance.now();
    // What all share is well again when every process is that no other fault is done to.
    const waiting = (): readonly PaydeskProcess[] =>
      touched.length > 0 ? touched : desk.processes.filter(({ name }) => !disturbed.has(name));
    await desk.untilReady(waiting, recovery_ms);
    entry.recovered_ms = performance.now() - entry.undone_ms;
  } catch (error) {
    if (entry.undone_ms === 0) entry.undone_ms = performance.now();
    entry.problem = error instanceof Error ? error.message : String(error);
  }
  const how = entry.problem === '' ? `ready after ${inSeconds(entry.recovered_ms ?? 0)}` : entry.problem;
  log(`${injected.length}. ${kind}, ${target}: ${how}`);
}
