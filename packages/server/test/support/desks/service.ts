import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { startService, type Role, type Service, type ServiceOptions } from '../../../src/compose/service.ts';
import { type Database, openDatabase } from '../../../src/base/pg/index.ts';
import { createLog, type Logger } from '../../../src/base/log.ts';
import { readConfig } from '../../../src/config.ts';
import { verifyBooks } from '../../../src/payments/facts/verify-books.ts';
import { demandDocumented } from '../rules/documented-answer.ts';
import { freshDatabase, type TestDatabase } from '../servers/database.ts';
import { patient } from '../run/patience.ts';
import { freePort } from '../servers/ports.ts';

export type Json = Record<string, unknown>;

/** An answer of the service: status, headers and the parsed body. */
export interface Answer<T = Json> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** A whole Paydesk process of a test's own, on a database of its own, under the test clock and the role of the service. */
export interface TestService {
  url: string;
  database: TestDatabase;
  /** The database as its owner, beside the service. Opened once, because PostgreSQL begins each connection slowly. */
  readonly db: Database;
  service: Service;
  /** Seals values that this service can open. */
  secret_key: Buffer;
  /** Any request; an object body goes as JSON. Redirects are not followed. Throws for an answer that is not documented. */
  send<T = Json>(method: string, path: string, options?: SendOptions): Promise<Answer<T>>;
  /** A call of the administration API under the key; throws unless it succeeds. */
  admin<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  /** Moves the test clock forward. */
  advance(seconds: number): Promise<void>;
  /** Moves the test clock to the next noon of UTC, so that no midnight falls into a test that counts by day. */
  advanceToNoon(): Promise<void>;
  /** Another process on the same database, with the same keys or others and, where given, other settings. */
  another(
    role?: Role,
    env?: Record<string, string>,
    secret_keys?: ServiceOptions['secret_keys'],
  ): Promise<{ url: string; stop(): Promise<void> }>;
  /** Stops everything; the books must balance, but for findings of these kinds, where a test wrote rows by hand. */
  stop(written_by_hand?: readonly string[]): Promise<void>;
}

export interface SendOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent as it is, under the given `content-type`. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  role?: Role;
  log?: Logger;
  timings?: ServiceOptions['timings'];
  database_limits?: ServiceOptions['database_limits'];
  /** A database that is migrated; by default a fresh one. */
  database?: TestDatabase;
  /** By default a new one. */
  secret_key?: Buffer;
  /** The way to the database, such as through a proxy; by default directly. */
  routeTo?: (database_url: string) => Promise<string>;
}

const admin_key = 'test-administration-key';

/**
 * Fewer than a process usually has: its loops begin all at once, and each connection that they open costs PostgreSQL more
 * than what they ask.
 */
const connections = '11';

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await freshDatabase());
  const secret_key = options.secret_key ?? randomBytes(32);
  const database_url = (await options.routeTo?.(database.service_url)) ?? database.service_url;
  const start = async (
    role: Role,
    more: Record<string, string> = {},
    secret_keys: ServiceOptions['secret_keys'] = [secret_key],
  ): Promise<Service> => {
    const config = readConfig({
      PORT: String(await freePort()),
      PAYDESK_TEST_CLOCK: '1',
      PAYDESK_ADMIN_KEY: admin_key,
      PAYDESK_LOG_LEVEL: 'silent',
      PAYDESK_DB_POOL: connections,
      ...options.env,
      ...more,
    });
    const log = options.log ?? createLog(config.log_level);
    const { timings = {}, database_limits = {} } = options;
    return startService({
      config,
      database_url,
      secret_keys,
      role,
      log,
      timings: { linger_ms: 0, ...timings },
      database_limits: { ...patient, ...database_limits },
    });
  };
  const service = await start(options.role ?? 'all');
  const others = new Set<Service>();
  // Everything is served below the path of the public address.
  const { pathname } = new URL(options.env?.PAYDESK_PUBLIC_URL ?? service.url);
  const url = service.url + pathname.replace(/\/$/, '');

  const send = async <T = Json>(method: string, path: string, asked?: SendOptions): Promise<Answer<T>> => {
    const answer = await request<T>(url + path, method, asked);
    demandDocumented(method, path, answer);
    return answer;
  };
  const admin = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await send<T>(method, `/admin/v1${path}`, {
      headers: { authorization: `Bearer ${admin_key}` },
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const advance = async (seconds: number): Promise<void> => {
    await admin('PUT', '/test-clock', { advance_seconds: seconds });
  };
  let db: Database | undefined;
  const besideService = (): Database => (db ??= openDatabase({ url: database.url, max: 4 }));
  return {
    url,
    database,
    get db() {
      return besideService();
    },
    service,
    secret_key,
    send,
    admin,
    advance,
    advanceToNoon: async () => {
      const { now } = await admin<{ now: string }>('GET', '/test-clock');
      const since_noon_s = (Math.floor(Date.parse(now) / 1_000) + 43_200) % 86_400;
      await advance(86_400 - since_noon_s);
    },
    another: async (role = 'web', env = {}, secret_keys = [secret_key]) => {
      const other = await start(role, env, secret_keys);
      others.add(other);
      return {
        url: other.url,
        stop: async () => {
          others.delete(other);
          await other.stop();
        },
      };
    },
    async stop(written_by_hand) {
      await Promise.all([service.stop(), ...[...others].map((other) => other.stop())]);
      await expectBalancedBooks(besideService(), written_by_hand);
      await db?.close();
      await database.drop();
    },
  };
}

/** One request; the body is parsed where it is JSON. */
export async function request<T = Json>(
  url: string,
  method: string,
  { body, headers = {}, raw }: SendOptions = {},
): Promise<Answer<T>> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(raw !== undefined ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (isJson && text !== '' ? JSON.parse(text) : {}) as T,
  };
}

/**
 * Every scenario ends with debits = credits, no stored balance off, and orders and books that agree.
 *
 * @param written_by_hand kinds of findings about rows that a test wrote itself, past the service
 */
export async function expectBalancedBooks(
  db: Database,
  written_by_hand: readonly string[] = [],
): Promise<void> {
  const { findings } = await verifyBooks(db);
  // `makeOwe` posts what nothing calls for.
  const expected = (finding: { kind: string; subject: string }): boolean =>
    finding.subject.startsWith('made-to-owe:') || written_by_hand.includes(finding.kind);
  expect(findings.filter((finding) => !expected(finding))).toEqual([]);
}

/**
 * Polls until `done` holds, at most a minute, for work of another process or a worker. It polls less and less often, so
 * that a slow machine does not use up a caller's limit.
 */
export async function eventually<T>(ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const end = performance.now() + 60_000;
  for (let pause_ms = 25; ; pause_ms = Math.min(pause_ms * 1.5, 1_000)) {
    const value = await ask();
    if (done(value)) return value;
    if (performance.now() > end) throw new Error(`never came true; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}
