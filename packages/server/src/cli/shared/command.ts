/** What the commands have in common: their context, options, errors and access to the database. */
import { parseArgs } from 'node:util';
import { checkSchema, type Database, openDatabase } from '../../base/pg/index.ts';
import type { Config } from '../../config.ts';
import type { Environment } from '../../environment.ts';
import { joinEmbedded } from '../../embedded/open-embedded.ts';

export interface CommandContext {
  args: string[];
  config: Config;
  /** For variables that are not part of the service's configuration. */
  env: Environment;
}

/** An error that is shown to the user as one sentence, without a stack. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

type Options = Record<string, { type: 'string' | 'boolean'; default?: string | boolean }>;

/**
 * Reads a command's options.
 *
 * @throws CommandError if an option is unknown or has no value
 */
export function readOptions(args: string[], options: Options): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/**
 * Reads the options and the one argument of a command.
 *
 * @throws CommandError if there is not exactly one argument, or as `readOptions`
 */
export function readArgument(
  args: string[],
  name: string,
  options: Options,
): { argument: string; options: Record<string, string | boolean | undefined> } {
  try {
    const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true });
    const [argument, ...more] = positionals;
    if (argument === undefined || more.length > 0) throw new CommandError(`One ${name} is needed.`);
    return { argument, options: values };
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError((error as Error).message);
  }
}

/** Runs `work` on the service's database: that of DATABASE_URL, or the embedded one, which is started if it is down. */
export async function withDatabaseUrl<T>(
  config: Config,
  purpose: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.database_url !== null) return work(config.database_url);
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
