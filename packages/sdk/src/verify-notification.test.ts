import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import * as sdk from './index.ts';
import type { Notification } from './types.ts';
import {
  signNotification,
  verifyNotification,
  type VerifyInput,
  type VerifyResult,
} from './verify-notification.ts';

interface Vector {
  name: string;
  secret: string;
  event_id: string;
  timestamp: string;
  now: number;
  body: string;
  signature: string;
  valid: boolean;
  reason?: string;
}
const here = (path: string) => new URL(path, import.meta.url);
const { vectors } = JSON.parse(readFileSync(here('../vectors/notification-signatures.json'), 'utf8')) as {
  vectors: Vector[];
};
const first = vectors[0] as Vector;

const headersOf = ({ event_id, timestamp, signature }: Vector) => ({
  'X-Service-Event-ID': event_id,
  'X-Service-Timestamp': timestamp,
  'X-Service-Signature': signature,
});
const inputOf = (vector: Vector): VerifyInput => ({
  headers: headersOf(vector),
  raw_body: Buffer.from(vector.body),
  secrets: vector.secret,
  now: new Date(vector.now * 1000),
});
const verify = (changes: Partial<VerifyInput>) => verifyNotification({ ...inputOf(first), ...changes });
const reasonOf = (result: VerifyResult) => (result.ok ? 'ok' : result.reason);

/** The first vector with a changed envelope and a new signature. */
function resigned(change: (envelope: Record<string, unknown>) => unknown): VerifyInput {
  const raw_body = JSON.stringify(change(JSON.parse(first.body) as Record<string, unknown>));
  const signature = signNotification(first.secret, first.timestamp, raw_body);
  return { ...inputOf({ ...first, signature }), raw_body };
}

describe('the shared vectors', () => {
  test.each(vectors)('$name', (vector) => {
    const result = verifyNotification(inputOf(vector));
    expect(reasonOf(result)).toBe(vector.valid ? 'ok' : vector.reason);
    if (result.ok) expect(result.notification).toEqual(JSON.parse(vector.body));
  });

  test('there are vectors for acceptance and for each refusal they can show', () => {
    expect(new Set(vectors.map(({ reason }) => reason))).toEqual(
      new Set([undefined, 'stale', 'bad_signature', 'malformed']),
    );
  });
});

describe('headers', () => {
  test.each(['X-Service-Event-ID', 'X-Service-Timestamp', 'X-Service-Signature'])(
    'without %s, or with it empty or repeated, the request is refused',
    (name) => {
      const headers = headersOf(first) as Record<string, string>;
      const value = headers[name] ?? '';
      for (const replacement of [undefined, '', [], [value, value]]) {
        expect(verify({ headers: { ...headers, [name]: replacement } })).toEqual({
          ok: false,
          reason: 'missing_header',
          detail: name,
        });
      }
      expect(reasonOf(verify({ headers: { ...headers, [name]: [value] } }))).toBe('ok');
    },
  );

  test('names count in any case, and Fetch headers do', () => {
    const lower = Object.fromEntries(
      Object.entries(headersOf(first)).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(reasonOf(verify({ headers: lower }))).toBe('ok');
    expect(reasonOf(verify({ headers: new Headers(headersOf(first)) }))).toBe('ok');
    expect(reasonOf(verify({ headers: new Headers() }))).toBe('missing_header');
  });

  test.each(['', '-1', '1.5', '1e9', '0x10', ' 1772359205', '1772359205000000'])(
    'a timestamp %j is refused',
    (timestamp) => {
      const signature = signNotification(first.secret, timestamp, first.body);
      expect(verifyNotification(inputOf({ ...first, timestamp, signature })).ok).toBe(false);
    },
  );
});

describe('time, secrets and bytes', () => {
  test('the tolerance is the caller’s to narrow, and counts to the millisecond', () => {
    const now = new Date(first.now * 1000 + 10_001);
    expect(reasonOf(verify({ now, tolerance_s: 10 }))).toBe('stale');
    expect(reasonOf(verify({ now: new Date(first.now * 1000 + 10_000), tolerance_s: 10 }))).toBe('ok');
    expect(reasonOf(verify({ now: new Date(Number.NaN) }))).toBe('stale');
  });

  test('without a time given, an old request is stale now', () => {
    const { headers, raw_body, secrets } = inputOf(first);
    expect(reasonOf(verifyNotification({ headers, raw_body, secrets }))).toBe('stale');
  });

  test('every secret still in use is tried, in any place', () => {
    const others = ['another-secret-of-32-bytes-or-more', 'third-secret-of-32-bytes-or-more!'];
    expect(reasonOf(verify({ secrets: [first.secret, ...others] }))).toBe('ok');
    expect(reasonOf(verify({ secrets: [...others, first.secret] }))).toBe('ok');
    expect(reasonOf(verify({ secrets: others }))).toBe('bad_signature');
  });

  test.each([[''], [[]], [['', first.secret]], [[undefined as unknown as string]]])(
    'secrets %j are a mistake of the receiver, not of the request',
    (secrets) => {
      expect(() => verify({ secrets })).toThrow(TypeError);
    },
  );

  test('a body that was parsed and written again does not verify', () => {
    const spaced = vectors.find(({ name }) => name.startsWith('spacing')) as Vector;
    const raw_body = JSON.stringify(JSON.parse(spaced.body));
    expect(reasonOf(verifyNotification({ ...inputOf(spaced), raw_body }))).toBe('bad_signature');
    expect(reasonOf(verifyNotification({ ...inputOf(spaced), raw_body: spaced.body }))).toBe('ok');
  });

  test('nothing is parsed before the signature holds', () => {
    expect(reasonOf(verify({ raw_body: 'not json' }))).toBe('bad_signature');
  });
});

describe('the envelope', () => {
  const data = (change: Record<string, unknown>) => (envelope: Record<string, unknown>) => ({
    ...envelope,
    data: { ...(envelope['data'] as Notification['data']), ...change },
  });
  test.each<[string, (envelope: Record<string, unknown>) => unknown]>([
    ['null', () => null],
    ['an array', () => []],
    ['another type', (envelope) => ({ ...envelope, type: 'other' })],
    ['another api_version', (envelope) => ({ ...envelope, api_version: 2 })],
    ['no data', (envelope) => ({ ...envelope, data: null })],
    ['an amount that is a number', data({ amount: 10 })],
    ['an amount_minor beyond exactness', data({ amount_minor: 2 ** 53 })],
    ['a version that is a text', data({ status_version: '1' })],
    ['paid without its event', data({ status: 'paid' })],
  ])('signed, but with %s, is malformed', (_name, change) => {
    expect(reasonOf(verifyNotification(resigned(change)))).toBe('malformed');
  });

  test('members that a later version adds pass through', () => {
    const result = verifyNotification(resigned(data({ new_member: 1 })));
    expect(result).toMatchObject({ ok: true, notification: { data: { new_member: 1 } } });
  });

  test('signed bytes that are no UTF-8 are malformed', () => {
    const raw_body = Buffer.from([0x22, 0xff, 0x22]);
    const signature = signNotification(first.secret, first.timestamp, raw_body);
    expect(reasonOf(verifyNotification({ ...inputOf({ ...first, signature }), raw_body }))).toBe('malformed');
  });
});

describe('the receiver in the README', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** Runs the code of the README unchanged, with its imports as arguments and a free port. */
  async function startReadmeReceiver(store: (notification: Notification) => Promise<void>): Promise<string> {
    const readme = readFileSync(here('../README.md'), 'utf8');
    const block = /```js\n(import \{ createServer[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const code = block.replaceAll(/^import .*$/gm, '').replace(/listen\([0-9]+\)/, "listen(0, '127.0.0.1')");
    // oxlint-disable-next-line typescript/no-implied-eval -- the point is to run the text that readers copy
    const run = new Function('createServer', 'sdk', 'process', 'store', `with (sdk) { ${code} }`) as (
      ...parameters: unknown[]
    ) => void;
    const capture = (listener: RequestListener) => {
      const server = createServer(listener);
      servers.push(server);
      return server;
    };
    run(
      capture,
      sdk,
      { env: { NOTIFY_SECRETS: `older-secret-of-32-bytes-or-more-x ${first.secret}` } },
      store,
    );
    const server = servers.at(-1) as Server;
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const post = (url: string, body: string, timestamp = String(Math.floor(Date.now() / 1000))) => {
    const signature = signNotification(first.secret, timestamp, first.body);
    return fetch(url, { method: 'POST', headers: headersOf({ ...first, timestamp, signature }), body });
  };

  test('acknowledges what it stored and refuses what is not signed', async () => {
    const stored: Notification[] = [];
    const url = await startReadmeReceiver((notification) => {
      stored.push(notification);
      return Promise.resolve();
    });
    expect((await post(url, first.body)).status).toBe(204);
    expect(stored.map(({ id }) => id)).toEqual([first.event_id]);
    expect((await post(url, `${first.body} `)).status).toBe(400);
    expect((await post(url, first.body, first.timestamp)).status).toBe(400);
    expect(stored).toHaveLength(1);
  });

  test('does not acknowledge what it could not store or read', async () => {
    const url = await startReadmeReceiver(() => Promise.reject(new Error('disk full')));
    expect((await post(url, first.body)).status).toBe(500);
    const oversized = await post(url, 'x'.repeat(70_000)).then(
      ({ status }) => status,
      () => 'connection closed',
    );
    expect([500, 'connection closed']).toContain(oversized);
  });
});
