import pg from 'pg';
import { AppError } from '../../src/base/errors.ts';
import { type Database, openDatabase, sql } from '../../src/base/db.ts';
import { randomOf } from '../support/random.ts';
import { problemsOf } from './check.ts';
import { type Move, moves, settleDown, type Story } from './moves.ts';
import { Scheduler } from './scheduler.ts';
import { createWorld } from './world.ts';

/** What became of one seed. */
export interface Report {
  seed: number;
  /** What happened, in order. */
  story: string[];
  /** What does not hold; empty where all is well. */
  problems: string[];
  /** How often each posting was posted, each status and each state of an attempt was reached at the end. */
  reached: Map<string, number>;
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
  // Deadlocks are to be found at once: everyone waits for the one who looks.
  await watch.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''10ms''', current_database()); END $$`,
  );
  // Nor is anything to change behind a seed's back: neither where rows lie nor how they are looked for.
  await watch.query(
    `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT format('%I', relname) FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = false)';
      END LOOP; END $$`,
  );
  const db = openDatabase({ url, max: connections });
  // All open from the start: whoever had to wait for one would come later than the last time.
  await Promise.all(
    Array.from({ length: connections }, () => db.transaction((tx) => tx.query(sql`SELECT pg_sleep(0.05)`))),
  );
  return {
    run: (seed, steps) => runSeed({ db, watch }, seed, steps),
    async close() {
      await db.close();
      await watch.end();
    },
  };
}

async function runSeed(
  { db, watch }: { db: Database; watch: pg.Client },
  seed: number,
  steps: number,
): Promise<Report> {
  const random = randomOf(seed);
  const world = await createWorld(random, db);
  const story: string[] = [];
  const problems: string[] = [];
  const known: Story = { world, orders: [], references: 0, disputed: [] };
  const scheduler = new Scheduler(random, watch);

  /** Begins a move; says whether there was anything that it could be done to. */
  async function make(move: Move): Promise<boolean> {
    const begun = move.begin(known);
    if (begun === null || ('outside' in begun && !(await begun.outside()))) return false;
    story.push(move.name);
    if ('outside' in begun) return true;
    scheduler.begin(
      move.name,
      (actor) => begun.actor(world.deps(actor)).then(() => undefined),
      (error) => {
        // A refusal is an answer; all else is a defect.
        if (!(error instanceof AppError) || error.status >= 500)
          problems.push(`${move.name}: ${String(error)}`);
      },
    );
    return true;
  }

  try {
    for (let made = 0; made < steps;) {
      if (scheduler.size < mostAtOnce && random.between(0, 3) === 0) {
        if (await make(chosen(random.next()))) made++;
      } else if (random.between(0, 60) === 0) {
        const crashed = await scheduler.crash();
        if (crashed !== null) story.push(`crash of ${crashed}`);
      } else if (!(await scheduler.step())) {
        if (await make(chosen(random.next()))) made++;
      }
    }
    while (await scheduler.step());
    await settleDown(known);
    problems.push(...(await problemsOf(world)));
  } finally {
    await world.close();
  }
  return { seed, story, problems, reached: await reachedIn(db) };
}

async function reachedIn(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ what: string; times: number }>(
    sql`SELECT posting AS what, count(*)::int AS times FROM ledger_transfers WHERE leg = 1 GROUP BY 1
      UNION ALL SELECT 'order ' || status, count(*)::int FROM collection_orders GROUP BY 1
      UNION ALL SELECT 'attempt ' || state, count(*)::int FROM payment_attempts GROUP BY 1`,
  );
  return new Map(rows.map(({ what, times }) => [what, times]));
}

/** Adds what was reached to what was reached before. */
export function tally(all: Map<string, number>, { reached }: Report): void {
  for (const [what, times] of reached) all.set(what, (all.get(what) ?? 0) + times);
}

const total = moves.reduce((sum, { weight }) => sum + weight, 0);

/** A move by its weight. @param at from 0 up to 1 */
function chosen(at: number): Move {
  let left = at * total;
  for (const move of moves) {
    left -= move.weight;
    if (left < 0) return move;
  }
  return moves[0];
}
