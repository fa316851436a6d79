import { migrate } from '../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from './shared/command.ts';

/** `paydesk migrate`: applies the missing migrations and prints them. */
export async function migrateCommand({ config }: CommandContext): Promise<number> {
  const say = (line: string): void => {
    console.log(line);
  };
  const applied = await withDatabaseUrl(config, 'paydesk migrate', (url) => migrate(url, { say }));
  say(applied.length === 0 ? 'The schema is up to date.' : `Applied migrations: ${applied.join(', ')}.`);
  return 0;
}
