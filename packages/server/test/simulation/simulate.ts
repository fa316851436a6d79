import pg from 'pg';
import { AppError } from '../../src/base/errors.ts';
import { type Database, openDatabase, sql } from '../../src/base/pg/index.ts';
import { type Random, randomOf } from '../support/run/random.ts';
import { problemsOf } from './check.ts';
import { differencesOf, followListed } from './compare-with-provider.ts';
import { resolveAll } from './loss-moves.ts';
import { moves } from './moves.ts';
import { type Opening, sceneOf, setScene } from './scenes.ts';
import { Scheduler } from './scheduler.ts';
import { emptyStory, type Move, type Work } from './story.ts';
import { watchRules } from './watch-rules.ts';
import { settleDown, type Together } from './workers.ts';
import { createWorld } from './world.ts';

/** The result of one seed. */
export interface Report {
  seed: number;
  /** The events, in order. */
  story: string[];
  /** Broken promises; empty if there are none. */
  problems: string[];
  /** How often each posting was posted, each status and each state of an attempt was reached at the end. */
  reached: Map<string, number>;
  /** It did not come to its end. */
  hung?: true;
}

export interface Simulation {
  /** Runs one seed from an empty platform to its end, and checks it. */
  run(seed: number, steps: number): Promise<Report>;
  close(): Promise<void>;
}

const connections = 12;

/** Several things at a time, as processes would; more only makes it slower. */
const mostAtOnce = 4;

/** Opens a simulation on a migrated database of its own, as its superuser: every seed empties it first. */
export async function openSimulation(url: string): Promise<Simulation> {
  const watch = new pg.Client({ connectionString: url });
  await watch.connect();
  // Where a seed has hung the server is stopped under it.
  watch.on('error', () => undefined);
  // Deadlocks must be found immediately, because everyone waits for the detector. To plan a statement for each of its
  // first values costs more than to run it on a few rows.
  await watch.query(
    `DO $$ DECLARE setting text; BEGIN
      FOREACH setting IN ARRAY ARRAY['deadlock_timeout = ''10ms''', 'plan_cache_mode = force_generic_plan'] LOOP
        EXECUTE format('ALTER DATABASE %I SET ', current_database()) || setting;
      END LOOP; END $$`,
  );
  // Nothing may change behind a seed's back: not the place of rows, and not the plans.
  await watch.query(
    `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT format('%I', relname) FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = false)';
      END LOOP; END $$`,
  );
  // A process may pause as long as chance decides, and others wait for it.
  const db = openDatabase({
    url,
    max: connections,
    // A wait for a place is one that the scheduler does not see.
    max_lock_waiters: connections,
    statement_timeout_ms: 0,
    lock_timeout_ms: 0,
    long_lock_timeout_ms: 0,
    lock_patience_ms: 3_600_000,
  });
  // All connections open at the start: opening one later would change the order between runs.
  await Promise.all(
    Array.from({ length: connections }, () => db.transaction((tx) => tx.query(sql`SELECT pg_sleep(0.05)`))),
  );
  await watchRules(watch);
  let isHung = false;
  return {
    async run(seed, steps) {
      if (isHung) throw new Error('An earlier seed has hung and is still under way.');
      const random = randomOf(seed);
      const running = { random, story: [], scheduler: new Scheduler(random, watch) };
      const report = await watched(runSeed(db, seed, steps, running), seed, running);
      isHung = report.hung === true;
      return report;
    },
    async close() {
      // Hanging work keeps its connections.
      if (isHung) return;
      await db.close();
      await watch.end();
    },
  };
}

/**
 * Longer than any seed takes on the slowest machine. Work that is not done by then hangs. Counted second by second, so
 * that a paused machine loses only one second.
 */
const patience_s = 600;

/** The state of a running seed. */
interface Running {
  random: Random;
  story: string[];
  scheduler: Scheduler;
}

/** A seed that does not come to its end is as broken as one that breaks a promise; nothing can be run after it. */
async function watched(
  running: Promise<Report>,
  seed: number,
  { story, scheduler }: Running,
): Promise<Report> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<Report>((resolve) => {
    let left_s = patience_s;
    timer = setInterval(() => {
      if (--left_s > 0) return;
      const who = scheduler.describe();
      const problems = [`hung: it did not come to its end in ${patience_s} s; under way: ${who}`];
      resolve({ seed, story: [...story], problems, reached: new Map(), hung: true });
    }, 1_000);
  });
  try {
    return await Promise.race([running, hung]);
  } finally {
    clearInterval(timer);
  }
}

async function runSeed(
  db: Database,
  seed: number,
  steps: number,
  { random, story, scheduler }: Running,
): Promise<Report> {
  const world = await createWorld(random, db);
  const problems: string[] = [];
  const known = emptyStory(world);
  const choose = chooser(random);

  function begin(name: string, work: Work, refusals: readonly string[] = []): void {
    scheduler.begin(
      name,
      (actor) => work(world.deps(actor)).then(() => undefined),
      (error) => {
        // An expected refusal is an answer; any other is a defect.
        if (!(error instanceof AppError && refusals.includes(error.code)))
          problems.push(`${name}: ${String(error)}`);
      },
    );
  }

  /** Begins a move. Returns whether the move found something to act on. */
  async function make(move: Move): Promise<boolean> {
    const { name, refusals } = move;
    const begun = move.begin(known);
    if (begun === null || ('outside' in begun && !(await begun.outside()))) return false;
    story.push(name);
    if ('actor' in begun) begin(name, begun.actor, refusals);
    return true;
  }

  const together: Together = async (courses) => {
    for (const { name, work } of courses) begin(name, work);
    while (await scheduler.step());
  };

  try {
    story.push(sceneOf(seed));
    let openings: readonly Opening[] = [];
    const set: Work = async (deps) => (openings = await setScene(known, deps, seed));
    await together([{ name: 'scene', work: set }]);
    for (const { name, work, refusals } of openings) begin(name, work, refusals);
    for (let made = 0; made < steps;) {
      if (scheduler.size < mostAtOnce && random.between(0, 3) === 0) {
        if (await make(choose())) made++;
      } else if (random.between(0, 60) === 0) {
        const crashed = await scheduler.crash();
        if (crashed !== null) story.push(`crash of ${crashed}`);
      } else if (!(await scheduler.step())) {
        if (await make(choose())) made++;
      }
    }
    while (await scheduler.step());
    story.push('left alone');
    await settleDown(known, together);
    const follow: Work = async (deps) => {
      await followListed(world, deps.payments);
      await resolveAll(deps);
    };
    // Without a crash there is nothing to follow.
    if (story.some((line) => line.startsWith('crash of')))
      await together([{ name: 'act on the comparison', work: follow }]);
    problems.push(...(await problemsOf(world)));
    const compare: Work = async ({ payments }) => problems.push(...(await differencesOf(world, payments)));
    await together([{ name: 'compare with the provider', work: compare }]);
  } catch (error) {
    problems.push(`failed: ${String(error)}`);
  } finally {
    await world.close();
  }
  const reached = await reachedIn(db);
  const crashes = story.filter((line) => line.startsWith('crash of')).length;
  if (crashes > 0) reached.set('crash of a process', crashes);
  return { seed, story, problems, reached };
}

async function reachedIn(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ what: string; times: number }>(
    sql`SELECT posting AS what, count(*)::int AS times FROM ledger_transfers WHERE leg = 1 GROUP BY 1
      UNION ALL SELECT 'order ' || status, count(*)::int FROM collection_orders GROUP BY 1
      UNION ALL SELECT 'catalog order ' || concat_ws(' ', state, reversed), count(*)::int FROM catalog_orders GROUP BY 1
      UNION ALL SELECT 'attempt ' || state, count(*)::int FROM payment_attempts GROUP BY 1
      UNION ALL SELECT 'part of a receipt lost', count(*)::int FROM payment_cases WHERE detail ? 'lost_parts'
        GROUP BY 1`,
  );
  return new Map(rows.map(({ what, times }) => [what, times]));
}

/** Adds reached events to the earlier ones. */
export function tally(all: Map<string, number>, { reached }: Report): void {
  for (const [what, times] of reached) all.set(what, (all.get(what) ?? 0) + times);
}

/**
 * Chooses moves by weight. Each seed has its own weights: it never makes some moves and makes others often, so that
 * rare moves sometimes come together.
 */
function chooser(random: Random): () => Move {
  const [first, ...others] = moves;
  const liked = [first, ...others].map((move) => ({ move, weight: move.weight * random.pick([0, 1, 1, 3]) }));
  const total = liked.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    let left = random.next() * total;
    for (const { move, weight } of liked) {
      left -= weight;
      if (left < 0) return move;
    }
    return first;
  };
}
