/** The `paydesk` program: finds the command, runs it, and turns errors into sentences and exit codes. */
import { WrongKeyError } from '../base/keys/index.ts';
import { RoleError, SchemaError } from '../base/pg/index.ts';
import { release } from '../base/release.ts';
import { ConfigError, readConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { EmbeddedError } from '../embedded/embedded-error.ts';
import { type CommandContext, CommandError } from './shared/command.ts';

type Run = (context: CommandContext) => Promise<number>;

/** A command's modules are loaded only when it runs: checking the books needs no web server. */
const commands: Record<string, { load: () => Promise<Run>; about: string }> = {
  start: {
    load: async () => (await import('./start.ts')).startCommand,
    about: 'run the demo platform on an embedded database (the same as "npm start")',
  },
  serve: {
    load: async () => (await import('./serve.ts')).serveCommand,
    about: '[--role all|web|worker] [--no-migrate]  run the service, for production',
  },
  migrate: {
    load: async () => (await import('./migrate.ts')).migrateCommand,
    about: 'bring the database schema up to date',
  },
  'grant-role': {
    load: async () => (await import('./grant-role.ts')).grantRoleCommand,
    about: 'NAME  let a database role that owns nothing run the service; needs the address of the owner',
  },
  keys: {
    load: async () => (await import('./keys.ts')).keysCommand,
    about: 'count what each secret key still seals or derives (docs/operations.md)',
  },
  reseal: {
    load: async () => (await import('./reseal.ts')).resealCommand,
    about: 'seal everything anew with the first secret key, so that older keys can be removed',
  },
  'verify-ledger': {
    load: async () => (await import('./books/verify-ledger.ts')).verifyLedgerCommand,
    about: '[--since-last]  check that the books balance; exits 1 if they do not',
  },
  'verify-audit': {
    load: async () => (await import('./books/verify-audit.ts')).verifyAuditCommand,
    about: 'check that no entry of the audit trail was changed or removed; exits 1 if one was',
  },
  'export-books': {
    load: async () => (await import('./books/export-books.ts')).exportBooksCommand,
    about: '--out FILE [--public-key-out PEM]  write the books with their seals, for others to verify',
  },
  'verify-export': {
    load: async () => (await import('./books/verify-export.ts')).verifyExportCommand,
    about: 'FILE --public-key PEM [--heads FILE]  verify an export without database or secret',
  },
  'import-orders': {
    load: async () => (await import('./import-orders.ts')).importOrdersCommand,
    about: '[--dry-run] FILE.jsonl  import orders of an older system, one per line (docs/import.md)',
  },
  'create-admin': {
    load: async () => (await import('./create-admin.ts')).createAdminCommand,
    about: '--email ADDRESS [--name NAME]  create an administrator; reads the password from standard input',
  },
  listen: {
    load: async () => (await import('./listen.ts')).listenCommand,
    about: '[--port 8443] [--path PATH] [--status 204]  print notifications, for development',
  },
};

const usage = [
  'Usage: paydesk COMMAND',
  '',
  ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`),
  `  ${'version'.padEnd(14)} print the version of Paydesk (the same as --version)`,
  '',
  'Settings come from the environment; README.md lists them.',
].join('\n');

/**
 * Runs one command of the `paydesk` program.
 *
 * @returns the exit code: 0 success, 1 failure, with one sentence on standard error, 2 wrong usage
 */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name = '', ...rest] = args;
  // Whatever the environment says, so that it also helps where a setting is wrong.
  if (['version', '--version', '-v'].includes(name)) {
    console.log(release);
    return 0;
  }
  const command = commands[name];
  if (command === undefined) {
    const asked = ['', 'help', '--help', '-h'].includes(name);
    (asked ? console.log : console.error)(asked ? usage : `There is no command "${name}".\n\n${usage}`);
    return asked ? 0 : 2;
  }
  try {
    const run = await command.load();
    return await run({ args: rest, config: readConfig(env), env: readEnvironment(env) });
  } catch (error) {
    console.error(sentenceFor(error));
    return 1;
  }
}

/** One sentence for a known error; the stack for an unexpected one. */
function sentenceFor(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof SchemaError ||
    error instanceof RoleError ||
    error instanceof WrongKeyError ||
    error instanceof EmbeddedError ||
    error instanceof CommandError
  ) {
    return error.message;
  }
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? '?'} on ${address ?? 'this machine'} is in use: set PORT to another port.`;
  if (code === 'EACCES' && port !== undefined)
    return `This user may not open port ${port}: set PORT to another port.`;
  if (code === 'EADDRNOTAVAIL')
    return `HOST names an address that this machine does not have: ${address ?? '?'}.`;
  if (code !== undefined && /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/.test(code)) {
    return `The database of DATABASE_URL cannot be reached: ${error.message || code}.`;
  }
  if (code !== undefined && /^(28|3D|53|57P)/.test(code))
    return `The database of DATABASE_URL refused the connection: ${error.message}.`;
  if (code === '42501')
    return `The role of DATABASE_URL lacks a right (${error.message}): run "npx paydesk grant-role NAME" with the address of the owner.`;
  const cause =
    error.cause instanceof Error ? `\nCaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
