/** Runs pgbench, which measures the references of the database. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchError } from '../bench-error.ts';
import { findProgram, isExecutable } from '../processes/programs.ts';
import type { Connection } from './database.ts';

const run = promisify(execFile);

/** What pgbench runs: our own script, or one of its built-in scripts. */
export type Work =
  | { script: string; variables?: Readonly<Record<string, number>> }
  | { builtin: 'tpcb-like' | 'select-only' };

export interface Measured {
  /** Transactions per second, without the time to connect. */
  rate: number;
  /** The average. */
  latency_ms: number;
}

export interface Pgbench {
  /** Fills pgbench’s own tables with `scale` times 100,000 accounts. */
  initialise(connection: Connection, scale: number): Promise<void>;
  /** Runs it with `clients` connections. Statements are prepared by default. */
  measure(
    connection: Connection,
    work: Work,
    clients: number,
    seconds: number,
    protocol?: 'prepared' | 'simple',
  ): Promise<Measured>;
}

/**
 * Finds pgbench, or installs it.
 *
 * @param dir the directory for scripts
 * @throws BenchError that says what to install if there is no pgbench
 */
export function openPgbench(dir: string, signal: AbortSignal, say: (line: string) => void): Pgbench {
  const program = findPgbench() ?? installPgbench(say);
  let scripts = 0;
  const pgbench = async (connection: Connection, args: string[]): Promise<string> => {
    const env = environmentFor(connection);
    try {
      return (await run(program, args, { env, signal, maxBuffer: 16 * 1024 * 1024 })).stdout;
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      throw new BenchError(`pgbench failed: ${stderr.trim().slice(0, 600)}`, { cause: error });
    }
  };
  const named = async (work: Work): Promise<string[]> => {
    if ('builtin' in work) return ['-b', work.builtin];
    const file = join(dir, `reference-${++scripts}.sql`);
    await writeFile(file, work.script);
    return [
      '-n',
      '-f',
      file,
      ...Object.entries(work.variables ?? {}).map(([name, value]) => `-D${name}=${value}`),
    ];
  };
  return {
    async initialise(connection, scale) {
      await pgbench(connection, ['-i', '-q', '-s', String(scale)]);
    },
    async measure(connection, work, clients, seconds, protocol = 'prepared') {
      const threads = Math.min(2, clients);
      const shape = [
        '-M',
        protocol,
        '-c',
        String(clients),
        '-j',
        String(threads),
        '-T',
        String(Math.ceil(seconds)),
      ];
      return readSummary(await pgbench(connection, [...shape, ...(await named(work))]));
    },
  };
}

/**
 * Reads the summary that pgbench prints.
 *
 * @throws BenchError if a transaction failed, because the rate would mean nothing
 */
export function readSummary(output: string): Measured {
  const failed = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0);
  const rate = /^tps = ([\d.]+)/m.exec(output)?.[1];
  const latency = /^latency average = ([\d.]+) ms/m.exec(output)?.[1];
  if (rate === undefined || latency === undefined || failed > 0) {
    throw new BenchError(`pgbench gave no usable result:\n${output.trim()}`);
  }
  return { rate: Number(rate), latency_ms: Number(latency) };
}

function environmentFor({ host, port, user, database, password }: Connection): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // The summary is parsed, so it must be in English.
    LC_ALL: 'C',
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    ...(password === undefined ? {} : { PGPASSWORD: password }),
  };
}

/** The newest one of Debian, or else the one in PATH. */
function findPgbench(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const dirs = majors.sort((a, b) => b - a).map((major) => join(debian, String(major), 'bin'));
  return findProgram(['pgbench'], dirs);
}

/** Installs pgbench as root on Debian. Otherwise throws an error that says what to install. */
function installPgbench(say: (line: string) => void): string {
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    say('installing PostgreSQL for pgbench');
    // With this environment, the package does not start a server.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', RUNLEVEL: '1' };
    for (const args of [['update'], ['install', '--no-install-recommends', 'postgresql']]) {
      spawnSync('apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    }
    const installed = findPgbench();
    if (installed !== undefined) return installed;
  }
  throw new BenchError(
    'The references need pgbench, which comes with PostgreSQL. On Debian or Ubuntu: sudo apt-get install --no-install-recommends postgresql',
  );
}
