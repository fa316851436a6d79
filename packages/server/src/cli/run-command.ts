/** The `paydesk` program: finds the command, runs it, and turns errors into sentences and exit codes. */
import { AppError } from '../base/errors.ts';
import { WrongKeyError } from '../base/keys/index.ts';
import { nearestName } from '../base/nearest.ts';
import { lossyPoolerWords, RoleError, SchemaError, showsLossyPooler } from '../base/pg/index.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { type Environment, readEnvironment } from '../environment.ts';
import { EmbeddedError } from '../embedded/embedded-error.ts';
import { type Command, commands } from './catalogue.ts';
import { CommandError, EndedReaderError, UsageError } from './shared/command-errors.ts';
import { databaseProblem } from './shared/database-problem.ts';
import { readArguments } from './shared/read-arguments.ts';
import { helpOf, overviewOf } from './shared/usage.ts';

/** Other spellings of commands. */
const aliases: Readonly<Record<string, string>> = { '--version': 'version', '-v': 'version' };
const helpNames: readonly string[] = ['help', '--help', '-h'];

/**
 * Runs one command of the `paydesk` program.
 *
 * @returns the exit code: 0 success, 1 failure, with one sentence on standard error, 2 wrong usage
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<number> {
  const [name = 'help', ...rest] = args;
  try {
    if (helpNames.includes(name)) return showHelp(rest[0]);
    const command = demandCommand(name);
    const end = rest.indexOf('--');
    const isHelp = rest.slice(0, end === -1 ? undefined : end).some((arg) => ['--help', '-h'].includes(arg));
    return isHelp ? showHelp(name) : await run(command, rest, env);
  } catch (error) {
    if (error instanceof EndedReaderError) return 141;
    console.error(sentenceFor(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run({ usage, load }: Command, args: readonly string[], env: Environment): Promise<number> {
  try {
    const given = readArguments(args, usage);
    let config: Config | undefined;
    const start = await load();
    return await start({
      ...given,
      get config() {
        return (config ??= readConfig(env));
      },
      get env() {
        return readEnvironment(env);
      },
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} See "paydesk ${usage.name} --help".`);
  }
}

function showHelp(name: string | undefined): number {
  console.log(
    name === undefined || helpNames.includes(name)
      ? overviewOf(commands.map(({ usage }) => usage))
      : helpOf(demandCommand(name).usage),
  );
  return 0;
}

function demandCommand(name: string): Command {
  const command = commands.find(({ usage }) => usage.name === (aliases[name] ?? name));
  if (command !== undefined) return command;
  const names = commands.map(({ usage }) => usage.name);
  const nearest = nearestName(name, [...names, 'help']);
  const hint = nearest === null ? '.' : `: did you mean ${nearest}?`;
  throw new UsageError(
    `There is no command "${name}"${hint} Usage: paydesk COMMAND [OPTIONS]. See "paydesk --help".`,
  );
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file, or its folder does not exist',
  EACCES: 'this user has no right to this file or directory',
  EISDIR: 'this is a directory, not a file',
  ENOTDIR: 'a part of this path is not a directory',
  ENOSPC: 'the disk is full',
  EROFS: 'this disk is read-only',
};

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
  // The database's answer, where a caller over HTTP would get the advice to try again later.
  if (error instanceof AppError && error.cause !== undefined) return sentenceFor(error.cause);
  const { code, port, address, path } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? '?'} on ${address ?? 'this machine'} is in use: set PORT (or PAYDESK_OPS_PORT, if it is that one) to another port.`;
  if (code === 'EACCES' && port !== undefined)
    return `This user may not open port ${port}: set PORT (or PAYDESK_OPS_PORT) to another port.`;
  if (code === 'EADDRNOTAVAIL')
    return `HOST names an address that this machine does not have: ${address ?? '?'}.`;
  if (code === 'EMFILE')
    return 'This process may not open more files: raise its limit (systemd: LimitNOFILE, shell: ulimit -n).';
  const ofDatabase = databaseProblem(error);
  if (ofDatabase !== null) return ofDatabase;
  if (showsLossyPooler(code)) return lossyPoolerWords;
  if (code === '42P01') return 'The database is not migrated: run "npx paydesk migrate" first.';
  const problem = fileProblems[code ?? ''];
  if (problem !== undefined && path !== undefined) return `${path}: ${problem}.`;
  // A read or write names no file.
  if (code === 'EISDIR') return 'A file is needed, and the path names a directory.';
  if (code === 'ENOSPC') return `A file could not be written: ${fileProblems.ENOSPC}.`;
  const cause =
    error.cause instanceof Error ? `\nCaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
