/** The login of a developer's commands: a merchant's client, kept in a file that only this user can read. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { stdin } from 'node:process';
import { text } from 'node:stream/consumers';
import { createClient, PaydeskError, type PaydeskClient } from '@paydesk/sdk';
import { type DemoState, keptAddress } from '../../demo/demo-state.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import type { CommandContext } from '../shared/command.ts';

interface Login {
  url: string;
  client_id: string;
  client_secret: string;
  /** The administration key of the demo platform, for calls that only the platform may make. */
  admin_key?: string;
}

const usualAddress = 'http://127.0.0.1:8080';

const loginFile = (): string =>
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'paydesk', 'login.json');

/** `paydesk login`: checks the credentials and keeps them. Without `--client-id` it takes the demo platform. */
export async function loginCommand({ options, config }: CommandContext): Promise<number> {
  const { url: given, 'client-id': client_id } = options;
  if (given !== undefined && !URL.canParse(given))
    throw new UsageError('--url must be an address such as https://pay.example.');
  const login =
    client_id === undefined
      ? await demoLogin(config.data_dir, given)
      : { url: given ?? usualAddress, client_id, client_secret: await readSecret() };
  await knownClient(login)
    .orders({ created_from: new Date(0), limit: 1 })
    .next()
    .catch((error: unknown) => refused(error, login.url));
  const file = loginFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // The mode of a file that was there before.
  await chmod(file, 0o600);
  console.log(`Logged in to ${login.url} as ${login.client_id}. Kept in ${file}.`);
  return 0;
}

async function readSecret(): Promise<string> {
  if (stdin.isTTY) console.log('Paste the client secret, then press Enter and Ctrl-D:');
  const secret = (await text(stdin)).trim();
  if (secret === '') throw new UsageError('login reads the client secret from standard input.');
  return secret;
}

/** @param given the address of `--url`; without it, the demo's own (D-611) */
export async function demoLogin(data_dir: string, given: string | undefined): Promise<Login> {
  const demo = await readFile(join(data_dir, 'demo.json'), 'utf8').catch(() => {
    throw new UsageError(
      'login needs --client-id ID, because there is no demo platform in the data directory.',
    );
  });
  const { ids, client_secret, admin_key } = JSON.parse(demo) as DemoState;
  const url = given ?? (await keptAddress(data_dir)) ?? usualAddress;
  return { url, client_id: ids.client_id, client_secret, admin_key };
}

/** The client of the last `paydesk login`, and the administration key of the settings or of the demo. */
export async function loggedIn(
  context: CommandContext,
): Promise<{ client: PaydeskClient; url: string; admin_key: string | null }> {
  const stored = await readFile(loginFile(), 'utf8').catch(() => {
    throw new CommandError('You are not logged in: run "paydesk login" first.');
  });
  const login = JSON.parse(stored) as Login;
  return {
    client: knownClient(login),
    url: login.url.replace(/\/+$/, ''),
    // A demo that was started with PAYDESK_ADMIN_KEY takes that key and not its own (D-683).
    admin_key: context.config.admin_key ?? login.admin_key ?? null,
  };
}

const knownClient = ({ url, client_id, client_secret }: Login): PaydeskClient =>
  createClient({ base_url: url, client_id, client_secret });

/** Ends the command with what the service said, or with the address that did not answer. */
export function refused(error: unknown, url: string): never {
  if (!(error instanceof PaydeskError)) throw error;
  const { status, code, description = '' } = error;
  throw new CommandError(
    status === 0
      ? `Paydesk does not answer at ${url} (${code}). "paydesk login --url URL" takes another address.`
      : `Paydesk refused: ${status} ${code}. ${description}`,
  );
}
