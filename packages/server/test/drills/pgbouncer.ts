import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase, sql } from '../../src/base/pg/index.ts';
import { type DatabasePair, urlOf } from '../chaos/database-pair.ts';
import { type Desk, runCommand } from '../chaos/desk.ts';
import { keepsPrepared, type PgBouncer, startPgBouncer, versionOf } from '../support/servers/pgbouncer.ts';
import { freePort } from '../support/servers/ports.ts';
import { pgbouncer } from '../support/run/tools.ts';
import type { Drill } from './drill.ts';
import { runUnderLoad, type Scene } from './load.ts';
import { newerPgBouncer } from './newer-pgbouncer.ts';

/** How long each PgBouncer is used before it is killed, and how long it is away then. */
const use_ms = 5_000;
const away_ms = 1_000;

/** One PgBouncer after another is in front of the database, all on one port. */
interface Pooler {
  port: number;
  now: PgBouncer | null;
  url: string;
}

/**
 * The whole service is behind PgBouncer, which is killed and started again under load: the packaged one in session mode,
 * then, on the same port, one from 1.21 on in transaction mode, which shares its sessions.
 */
export const drill: Drill = {
  name: 'pgbouncer',
  bars: { longest_outage_ms: 10_000 },
  async run(options) {
    const { log } = options;
    const packaged = pgbouncer();
    const newer = keepsPrepared(versionOf(packaged))
      ? { program: packaged, reason: '' }
      : newerPgBouncer(log);
    const pooler: Pooler = { port: await freePort(), now: null, url: '' };
    const environmentOf = async (
      _: string,
      __: unknown,
      pair: DatabasePair,
    ): Promise<{ DATABASE_URL: string }> => {
      pooler.url = urlOf(pair.primary().port);
      pooler.now ??= await open(pooler, packaged, 'session');
      return { DATABASE_URL: pooler.now.url };
    };
    try {
      const { result, injected } = await runUnderLoad(
        options,
        { desk: { webs: 2, workers: 1, environmentOf } },
        async (scene) => {
          const told = [
            await useAndKill(scene, pooler, `${versionOf(packaged).join('.')} in session mode`, log),
          ];
          if (newer.program === null)
            return [...told, `transaction mode was not tested, because ${newer.reason}`];
          await pooler.now?.stop();
          pooler.now = await open(pooler, newer.program, 'transaction');
          const name = `${versionOf(newer.program).join('.')} in transaction mode`;
          told.push(await useAndKill(scene, pooler, name, log), await limitsThrough(pooler));
          return [...told, await migrateThrough(pooler)];
        },
      );
      const wrong = injected.filter((line) => /transaction mode: (?!it polls|2s, 5500ms$)/.test(line));
      return {
        ...result,
        told: [...injected, ...result.told],
        problems: [...(result.problems ?? []), ...wrong.map((line) => `not as it should be: ${line}`)],
      };
    } finally {
      await pooler.now?.stop();
    }
  },
};

const open = ({ port, url }: Pooler, program: string, mode: 'session' | 'transaction'): Promise<PgBouncer> =>
  startPgBouncer({ program, url, mode, port, pool_size: mode === 'session' ? 100 : 12 });

/** Uses the PgBouncer for a while, kills it, starts it again, and tells what the processes say of it. */
async function useAndKill(
  { desk }: Scene,
  pooler: Pooler,
  name: string,
  log: (line: string) => void,
): Promise<string> {
  await desk.untilReady(desk.processes);
  await pause(use_ms);
  log(`PgBouncer ${name} is killed and started again`);
  await pooler.now?.kill();
  await pause(away_ms);
  await pooler.now?.start();
  await desk.untilReady(desk.processes);
  await pause(use_ms);
  return `PgBouncer ${name}: ${await listenerOf(desk)}`;
}

/** Creates the schema in an empty database: migrations do not rely on a session either. */
async function migrateThrough({ url, now }: Pooler): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE fresh');
  await client.end();
  const DATABASE_URL = (now?.url ?? '').replace(/\w+$/, 'fresh');
  const { code, output } = await runCommand(['migrate'], { DATABASE_URL });
  if (code !== 0) throw new Error(`migrate through PgBouncer ended with ${String(code)}: ${output}`);
  return `migrate through it: ${output.trim().split('\n').at(-1) ?? ''}`;
}

/** The limits of statements while all sessions of the pooler are in use: those of look-ups, and all others. */
async function limitsThrough({ now }: Pooler): Promise<string> {
  const db = openDatabase({ url: now?.url ?? '', max: 20 });
  const ask = sql`SELECT current_setting('statement_timeout') AS seen FROM pg_sleep(0.02)`;
  try {
    const asked = Array.from({ length: 40 }, () => [
      db.query(ask),
      db.lookups.query(ask),
      db.transaction((tx) => tx.query(ask)),
    ]);
    const seen = new Set((await Promise.all(asked.flat())).map(([row]) => String(row?.seen)));
    return `limits of statements in transaction mode: ${[...seen].sort().join(', ')}`;
  } finally {
    await db.close();
  }
}

/** What the first process says of its listener. */
async function listenerOf({ processes: [first] }: Desk): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${first.port}/readyz?verbose=1`);
  return /listener \w+: (.*)/.exec(await answer.text())?.[1] ?? 'no word of the listener';
}
