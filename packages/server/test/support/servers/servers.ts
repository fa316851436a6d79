import { join } from 'node:path';
import pg from 'pg';
import { grantRole, migrate } from '../../../src/base/pg/index.ts';
import { serviceRole } from '../../../src/embedded/access.ts';
import { openEmbedded } from '../../../src/embedded/open-embedded.ts';
import { askDatabase, databaseUrl } from './database.ts';
import { partitionedByMerchant } from './partitioned.ts';
import { startRedis } from './redis.ts';
import { memoryDirectory, removeAbandoned, temporaryDirectory } from '../run/temporary.ts';

/** The servers that the tests of one run share. Each is started once; it stops when the last project has released it. */
export interface Servers {
  /** The maintenance database, as superuser. */
  adminUrl: string;
  redisUrl: string;
  /** The template databases that exist or are being made, by their names. */
  templates: Map<string, Promise<string>>;
  release: () => Promise<void>;
}

interface Running {
  servers: Promise<Omit<Servers, 'release'> & { stop: () => Promise<void> }>;
  users: number;
}

/** Each project of Vitest loads this module separately, so shared data is kept outside the modules. */
const process_wide = globalThis as { paydesk_test_servers?: Map<string | null, Running> };
const running = (process_wide.paydesk_test_servers ??= new Map());

/**
 * The PostgreSQL and the Redis of this run. They end by themselves if this process is killed.
 *
 * @param bin the directory of PostgreSQL's programs, or null for the packaged one
 */
export async function sharedServers(bin: string | null): Promise<Servers> {
  const one = running.get(bin) ?? { servers: start(bin), users: 0 };
  running.set(bin, one);
  one.users += 1;
  const { stop, ...servers } = await one.servers;
  return {
    ...servers,
    async release() {
      one.users -= 1;
      if (one.users > 0) return;
      running.delete(bin);
      await stop();
    },
  };
}

async function start(bin: string | null): Promise<Awaited<Running['servers']>> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await removeAbandoned();
    const home = await temporaryDirectory('tests', await memoryDirectory());
    undo.push(() => home.remove());
    const redis = await startRedis();
    undo.push(() => redis.stop());
    const server = await openEmbedded({
      data_dir: join(home.path, 'data'),
      purpose: 'the tests',
      durable: false,
      settings: {
        max_connections: '600',
        shared_buffers: '128MB',
        max_wal_size: '128MB',
        // Tests ask little of each table: to compile a plan, or to start processes for it, costs more than to run it.
        jit: 'off',
        max_parallel_workers_per_gather: '0',
        // To plan a statement for each of its first values costs more than to run it on a few rows.
        plan_cache_mode: 'force_generic_plan',
      },
      ...(bin === null ? {} : { bin }),
    });
    undo.push(() => server.stop());
    return {
      adminUrl: databaseUrl(server.url, 'postgres'),
      redisUrl: redis.url,
      templates: new Map(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The name of a database with every migration applied and no connections, for copies.
 *
 * @param partitioned whether the merchants' tables are partitioned by merchant
 */
export function migratedTemplate({ adminUrl, templates }: Servers, partitioned: boolean): Promise<string> {
  const name = partitioned ? 'paydesk_template_partitioned' : 'paydesk_template';
  const known = templates.get(name) ?? makeTemplate(adminUrl, name, partitioned);
  templates.set(name, known);
  return known;
}

/**
 * In copies of the template no worker checks the books: a lease without end says that another process does. Such a check was due
 * wherever a test moved the clock by an hour, cost a sixth of the database's CPU time, and told only a silent log what it
 * found. `TestService.stop` checks them. Without an earlier snapshot a check that is asked for is a full one.
 */
const asChecked = `UPDATE ledger_verification_marks SET checked_at = now(), full_at = now() WHERE singleton;
  UPDATE ledger_verification_leases SET lease_id = gen_random_uuid()::text, lease_until = 'infinity' WHERE singleton`;

/** Most databases that are not made by the guide sort texts by a language, and not by bytes, as the other tests do (D-1303). */
const sortedByLanguage = `LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'`;

async function makeTemplate(adminUrl: string, name: string, partitioned: boolean): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const sorted = partitioned ? sortedByLanguage : '';
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${sorted}`);
    await migrate(databaseUrl(adminUrl, name), partitioned ? { transform: partitionedByMerchant } : {});
    await grantRole(databaseUrl(adminUrl, name), serviceRole);
    await askDatabase(databaseUrl(adminUrl, name), asChecked);
    await client.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    return name;
  } finally {
    await client.end();
  }
}
