/** Starts the service and calls its administration API. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BenchError } from '../bench-error.ts';
import { builtFiles } from '../built-files.ts';
import { freePort, type Server, startServer } from './children.ts';

/** The built `paydesk` program of this checkout. */
export const program = fileURLToPath(builtFiles.paydesk);

/** The service under test: one process of `paydesk serve`. */
export interface Service extends Server {
  /** Calls the administration API. Throws if the call fails. */
  admin: <T>(method: string, path: string, body: unknown) => Promise<T>;
  /** The longest delay of its event loop since the last time it was asked, in milliseconds; NaN if it does not tell. */
  loopDelay: () => Promise<number>;
  admin_key: string;
  /** Opens what it has sealed in its database. */
  secret_key: string;
}

export interface ServiceOptions {
  /** The built program; defaults to that of this checkout. */
  program?: string;
  database_url: string;
  /** The directory for its log. */
  dir: string;
  /** The directory for a CPU profile; null: none. */
  cpu_prof: string | null;
  signal: AbortSignal;
  /** The certificate of the receivers. */
  receivers_ca: string;
  /** The role of the process; defaults to all roles. */
  role?: 'web';
  /** Runs several processes, as `--processes` takes it; one by default. */
  processes?: string;
  /** Whether its clock can be moved. */
  test_clock?: boolean;
  /** The key of a database that another process has used. */
  secret_key?: string;
}

export const newSecretKey = (): string => randomBytes(32).toString('base64');

/** Runs a command of the built service on a database, such as `migrate`. */
export async function runProgram(built: string, database_url: string, ...args: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [built, ...args], {
      env: { ...baseEnvironment(), DATABASE_URL: database_url },
    });
  } catch (error) {
    throw new BenchError(`"paydesk ${args.join(' ')}" failed: ${(error as Error).message.trim()}`, {
      cause: error,
    });
  }
}

/** An environment without settings of the service, so that every run measures the same. */
export function baseEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

export async function startService({
  program: built = program,
  database_url,
  dir,
  cpu_prof,
  signal,
  receivers_ca,
  role,
  processes,
  test_clock = false,
  secret_key = newSecretKey(),
}: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin_key = randomBytes(24).toString('base64url');
  const profile = cpu_prof === null ? [] : ['--cpu-prof', '--cpu-prof-dir', cpu_prof];
  const server = await startServer({
    name: 'The service',
    args: [
      ...profile,
      built,
      'serve',
      ...(role === undefined ? [] : ['--role', role]),
      ...(processes === undefined ? [] : ['--processes', processes]),
    ],
    env: {
      ...baseEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      PAYDESK_PUBLIC_URL: url,
      DATABASE_URL: database_url,
      PAYDESK_SECRET_KEY: secret_key,
      PAYDESK_ADMIN_KEY: admin_key,
      // The load generator is a trusted proxy, so that limits per address see many addresses.
      PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
      PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
      PAYDESK_NOTIFY_CA_FILE: receivers_ca,
      PAYDESK_LOG_LEVEL: 'warn',
      ...(test_clock ? { PAYDESK_TEST_CLOCK: '1' } : {}),
    },
    log_file: join(dir, `${['service', role, processes].filter((part) => part !== undefined).join('-')}.log`),
    url,
    ready_path: '/readyz',
    signal,
  });
  return {
    ...server,
    admin_key,
    secret_key,
    async loopDelay() {
      const metrics = await (await fetch(`${url}/metrics`, { signal })).text();
      return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (.+)$/m.exec(metrics)?.[1] ?? NaN);
    },
    async admin<T>(method: string, path: string, body: unknown) {
      const response = await fetch(`${url}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      });
      const text = await response.text();
      if (!response.ok) throw new BenchError(`${method} /admin/v1${path}: ${response.status} ${text}`);
      return JSON.parse(text) as T;
    },
  };
}
