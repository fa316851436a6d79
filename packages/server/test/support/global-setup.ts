import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/base/pg/index.ts';
import { type Embedded, openEmbedded } from '../../src/embedded/open-embedded.ts';
import { databaseUrl } from './database.ts';
import { partitionedByMerchant } from './partitioned.ts';
import { startRedis } from './redis.ts';
import { removeAbandoned, temporaryDirectory } from './temporary.ts';
import { debianPostgresBin } from './tools.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server's maintenance database, as its superuser. */
    adminUrl: string;
    /** The name of the database that has every migration applied and nobody connected. */
    templateDatabase: string;
    redisUrl: string;
    /** The directory of the programs of the PostgreSQL under test, or null for the packaged one. */
    postgresBin: string | null;
  }
}

const template = 'paydesk_template';

/** The projects that run on the oldest PostgreSQL that production may have, or what Debian has from there on. */
const oldest = ['scenarios-pg15', 'scenarios-partitioned'];

type Undo = () => Promise<void>;

/**
 * Starts the servers of one project: a PostgreSQL with a migrated template database, and a Redis. They are stopped
 * when the project ends, and end by themselves where this process is killed.
 */
export default async function setup(project: TestProject): Promise<Undo> {
  const undo: Undo[] = [];
  const teardown = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await removeAbandoned();
    const bin = oldest.includes(project.name) ? debianPostgresBin() : null;
    const home = await temporaryDirectory(project.name);
    undo.push(() => home.remove());
    const redis = await startRedis();
    undo.push(() => redis.stop());
    const server = await startPostgres(join(home.path, 'data'), bin);
    undo.push(() => server.stop());
    const adminUrl = databaseUrl(server.url, 'postgres');
    await makeTemplate(adminUrl, project.name === 'scenarios-partitioned');
    project.provide('adminUrl', adminUrl);
    project.provide('templateDatabase', template);
    project.provide('redisUrl', redis.url);
    project.provide('postgresBin', bin);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

function startPostgres(data_dir: string, bin: string | null): Promise<Embedded> {
  return openEmbedded({
    data_dir,
    purpose: 'the tests',
    durable: false,
    settings: { max_connections: '300', shared_buffers: '128MB', autovacuum_naptime: '10s' },
    ...(bin === null ? {} : { bin }),
  });
}

async function makeTemplate(adminUrl: string, partitioned: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${template} TEMPLATE template0`);
    const options = partitioned ? { transform: partitionedByMerchant } : {};
    await migrate(databaseUrl(adminUrl, template), options);
    await client.query(`ALTER DATABASE ${template} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  } finally {
    await client.end();
  }
}
