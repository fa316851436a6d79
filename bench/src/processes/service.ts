import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BenchError } from '../bench-error.ts';
import { builtFiles } from '../built-files.ts';
import { freePort, type Server, startServer } from './children.ts';

/** The `paydesk` program as it was built. */
export const program = fileURLToPath(builtFiles.paydesk);

/** The service under test: one process, as `paydesk serve` runs it. */
export interface Service extends Server {
  /** A call of the administration API; throws unless it succeeds. */
  admin: <T>(method: string, path: string, body: unknown) => Promise<T>;
  admin_key: string;
}

export interface ServiceOptions {
  database_url: string;
  /** For its log. */
  dir: string;
  /** Where it leaves a CPU profile; null: it takes none. */
  cpu_prof: string | null;
  signal: AbortSignal;
  /** The certificate of the receivers that it delivers to. */
  receivers_ca: string;
  /** What it does; everything unless said otherwise. */
  role?: 'web';
}

/** Brings the schema of the service into an empty database. */
export async function migrate(database_url: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [program, 'migrate'], {
      env: { ...baseEnvironment(), DATABASE_URL: database_url },
    });
  } catch (error) {
    throw new BenchError(`"paydesk migrate" failed: ${(error as Error).message.trim()}`, { cause: error });
  }
}

/** Nothing of the environment that would configure the service: every run measures the same. */
export function baseEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

export async function startService({
  database_url,
  dir,
  cpu_prof,
  signal,
  receivers_ca,
  role,
}: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin_key = randomBytes(24).toString('base64url');
  const profile = cpu_prof === null ? [] : ['--cpu-prof', '--cpu-prof-dir', cpu_prof];
  const server = await startServer({
    name: 'The service',
    args: [...profile, program, 'serve', ...(role === undefined ? [] : ['--role', role])],
    env: {
      ...baseEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      PAYDESK_PUBLIC_URL: url,
      DATABASE_URL: database_url,
      PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'),
      PAYDESK_ADMIN_KEY: admin_key,
      // The load generator is the trusted proxy, so that limits by address see many addresses.
      PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
      PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
      PAYDESK_NOTIFY_CA_FILE: receivers_ca,
      PAYDESK_LOG_LEVEL: 'warn',
    },
    log_file: join(dir, `service${role === undefined ? '' : `-${role}`}.log`),
    url,
    ready_path: '/readyz',
    signal,
  });
  return {
    ...server,
    admin_key,
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
