import { migrate, missingMigrations } from '../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from './shared/command.ts';

const upToDate = 'The schema is up to date.';

/** How a migration runs, in words, by its mode. */
const manners = {
  transaction: 'in one transaction',
  statements: 'statement by statement',
  batches: 'in batches',
} as const;

/** `paydesk migrate`: applies the missing migrations and prints them. */
export async function migrateCommand({ flags, config }: CommandContext): Promise<number> {
  const say = (line: string): void => {
    console.log(line);
  };
  await withDatabaseUrl(config, 'paydesk migrate', async (url) => {
    if (flags.has('dry-run')) {
      await listMissing(url, say);
      return;
    }
    const applied = await migrate(url, { say });
    say(applied.length === 0 ? upToDate : `Applied migrations: ${applied.join(', ')}.`);
  });
  return 0;
}

async function listMissing(url: string, say: (line: string) => void): Promise<void> {
  const missing = await missingMigrations(url);
  for (const { name, mode, compatible_from } of missing) {
    const who = compatible_from === null ? 'only this release' : `release ${compatible_from} or newer`;
    say(`${name} runs ${manners[mode]}; ${who} may serve after it`);
  }
  say(missing.length === 0 ? upToDate : `${missing.length} migration(s) are missing. Nothing was changed.`);
}
