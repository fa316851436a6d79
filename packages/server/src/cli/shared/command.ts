/** What the commands have in common: their context and access to the database. */
import { checkSchema, type Database, openDatabase } from '../../base/pg/index.ts';
import type { Config } from '../../config.ts';
import type { Environment } from '../../environment.ts';
import { joinEmbedded } from '../../embedded/open-embedded.ts';
import type { Given } from './read-arguments.ts';

/** The settings are read when a command first asks for them: an error in them does not stop one that needs none. */
export interface CommandContext extends Given {
  readonly config: Config;
  /** For variables that are not part of the service's configuration. */
  readonly env: Environment;
}

/** Runs `work` on the service's database: the one of DATABASE_URL, or the embedded one, which is started if it is down. */
export async function withDatabaseUrl<T>(
  config: Config,
  purpose: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.database_url !== null) return work(config.database_url);
  // Another platform's data can be there, whose books balance as well.
  console.error(`DATABASE_URL is not set. Using the embedded database in ${config.data_dir}.`);
  const embedded = await joinEmbedded({ data_dir: config.data_dir, purpose });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/**
 * Runs `work` on the service's database, on one connection or as many as `max`.
 *
 * @throws SchemaError if this build may not work on the schema
 */
export const withDatabase = <T>(
  config: Config,
  purpose: string,
  work: (db: Database) => Promise<T>,
  limits: { statement_timeout_ms?: number; max?: number } = {},
): Promise<T> =>
  withDatabaseUrl(config, purpose, async (url) => {
    await checkSchema(url);
    const db = openDatabase({ url, max: 1, application_name: purpose, ...limits });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  });
