import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { joinEmbedded } from '../embedded/open-embedded.ts';

export interface CommandContext {
  args: string[];
  config: Config;
  /** What a command reads beside the service's configuration. */
  env: NodeJS.ProcessEnv;
}

/** What a command cannot do, in one sentence. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

type Options = Record<string, { type: 'string' | 'boolean'; default?: string | boolean }>;

/** Reads a command's options; a wrong one is told in a sentence. */
export function readOptions(args: string[], options: Options): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** The same for a command that takes one argument beside its options. */
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

/** Runs an operation on the service's database: that of DATABASE_URL, or the embedded one, running or not. */
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
