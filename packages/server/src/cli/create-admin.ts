import { stdin } from 'node:process';
import { text } from 'node:stream/consumers';
import { AppError } from '../base/errors.ts';
import { measuredClock } from '../base/clocks/measured-clock.ts';
import { systemIds } from '../base/ids.ts';
import { checkEmail, createAdmin } from '../identity/people/index.ts';
import { CommandError, UsageError } from './shared/command-errors.ts';
import { type CommandContext, withDatabase } from './shared/command.ts';

/**
 * `paydesk create-admin`: creates an administrator. Reads the password from standard input. If standard input is a
 * terminal or empty, generates a password and prints it.
 */
export async function createAdminCommand({ options, config }: CommandContext): Promise<number> {
  const { email, name = '' } = options;
  if (email === undefined) throw new UsageError('create-admin needs --email ADDRESS.');
  // D-896
  if (!isAddress(email)) {
    const usage = 'paydesk create-admin --email ADDRESS [--name NAME]';
    throw new UsageError(
      `--email must be an email address such as ada@example.com, not ${JSON.stringify(email)}: ${usage}.`,
    );
  }
  const ids = systemIds();
  return await withDatabase(config, 'paydesk create-admin', async (db) => {
    const given = stdin.isTTY ? '' : (await text(stdin)).replace(/\r?\n$/, '');
    const password = given === '' ? ids.secret(18) : given;
    // First: if the reader of the output has ended, no account has this password (D-1364).
    if (given === '') console.log(`Password: ${password}`);
    const clock = await measuredClock(db);
    await createAdmin({ db, clock, ids }, { email, name, password }).catch(refuse);
    console.log(`Created the administrator ${email}.`);
    return 0;
  });
}

function isAddress(text: string): boolean {
  try {
    return checkEmail(text) !== '';
  } catch {
    return false;
  }
}

/** How the command is given what the service names by its member. */
const optionOf: Readonly<Record<string, string>> = { email: '--email', name: '--name' };

/** A refused address, name or password ends the command with its description. */
function refuse(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { field, description = error.code } = error.detail;
  throw new CommandError(field === undefined ? description : `${optionOf[field] ?? field}: ${description}`);
}
