/** Runs the vectors that the SDKs of all languages pass (`vectors/*.json`) through this one. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { parseObject } from '../src/client/exact-json.ts';
import type { Attempt } from '../src/client/http.ts';
import {
  createClient,
  decidePosting,
  PaydeskError,
  sameAmount,
  verifyNotification,
  verifyStandardWebhook,
  type ClientOptions,
  type Expected,
  type OrderState,
  type PaydeskClient,
  type PostingDecision,
  type StoredState,
} from '../src/index.ts';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8'));

interface RequestVector {
  name: string;
  scheme: 'paydesk' | 'standard';
  headers: Record<string, string | string[]>;
  body?: string;
  body_base64?: string;
  secrets: string[];
  now: number;
  tolerance_s?: number;
  reason: string | null;
}
const { vectors: requests } = read('notification-requests') as { vectors: RequestVector[] };
const bodyOf = ({ body, body_base64 }: RequestVector): Buffer =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');

describe('D-285 the vectors of notifications', () => {
  test.each(requests)('$name', (vector) => {
    const verify = vector.scheme === 'paydesk' ? verifyNotification : verifyStandardWebhook;
    const { headers, secrets, tolerance_s } = vector;
    const now = new Date(vector.now * 1000);
    const raw_body = bodyOf(vector);
    const result = verify({
      headers,
      raw_body,
      secrets,
      now,
      ...(tolerance_s === undefined ? {} : { tolerance_s }),
    });
    expect(result.ok ? null : result.reason).toBe(vector.reason);
  });

  test('a library of the standard accepts the same signatures', () => {
    const signed = requests.filter(
      ({ scheme, name }) => scheme === 'standard' && /signed|decoded|several signatures/.test(name),
    );
    for (const vector of signed) {
      const [secret = ''] = vector.secrets;
      const key = secret.startsWith('whsec_') ? secret : Buffer.from(secret);
      const library = new Webhook(key, typeof key === 'string' ? {} : { format: 'raw' });
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = vector.headers;
      const body = bodyOf(vector);
      if (vector.body === undefined) continue;
      const expected = library.sign(String(id), new Date(Number(at) * 1000), body.toString('utf8'));
      expect(String(signature).split(' ')).toContain(expected);
    }
    expect(signed.length).toBeGreaterThan(20);
  });
});

describe('D-285 the vectors of amounts and posting', () => {
  const amounts = read('amounts') as { same: [string, string, boolean][]; invalid: string[] };
  test.each(amounts.same)('%s and %s: %s', (a, b, same) => {
    expect([sameAmount(a, b), sameAmount(b, a)]).toEqual([same, same]);
  });
  test.each(amounts.invalid)('%j is no amount', (text) => {
    expect(() => sameAmount(text, '1')).toThrow(TypeError);
    expect(() => sameAmount('1', text)).toThrow(TypeError);
  });

  interface PostingVector {
    name: string;
    stored: StoredState | null;
    order: OrderState;
    expected: Expected;
    accept_test_mode?: boolean;
    decision: PostingDecision;
  }
  test.each((read('posting') as { vectors: PostingVector[] }).vectors)(
    '$name',
    ({ stored, order, expected, accept_test_mode = false, decision }) => {
      expect(decidePosting(stored ?? undefined, order, expected, { accept_test_mode })).toEqual(decision);
    },
  );
});

type Members = Record<string, unknown>;
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  fault?: 'connection' | 'timeout';
}
interface Call {
  call: string;
  args: Members;
  advance_ms?: number;
  result?: unknown;
  error?: Members;
  refused?: true;
  authorization?: { url: string; query: Record<string, string> };
}
interface ClientVector {
  name: string;
  options?: Partial<ClientOptions>;
  rejected_options?: true;
  random?: number;
  answers?: Answer[];
  token_answers?: Answer[];
  calls?: Call[];
  requests?: Members[];
  token_requests?: Members[];
  token_request_count?: number;
  waits_ms?: number[];
  attempts?: Members[];
  never_shown?: string[];
}

/** Calls by the name that they have in the vectors. */
const calls: Record<string, (client: PaydeskClient, args: never) => unknown> = {
  create_order: (client, args) => client.createOrder(args),
  get_order: (client, { order_no }: { order_no: string }) => client.getOrder(order_no),
  list_orders: (client, args) => client.listOrders(args),
  orders: (client, args) => all(client.orders(args)),
  channels: (client) => client.channels(),
  notifications: (client, { order_no, ...options }: { order_no: string; limit?: number }) =>
    client.notifications(order_no, options),
  retry_notification: (client, { order_no, event_id }: Record<string, string>) =>
    client.retryNotification(order_no ?? '', event_id ?? ''),
  'catalog.merchant': (client) => client.catalog.merchant(),
  'catalog.list_products': (client, { user_token, ...filter }: { user_token: string }) =>
    client.catalog.listProducts(filter, { user_token }),
  'catalog.products': (client, args) => all(client.catalog.products(args)),
  'catalog.create_order': (client, { user_token, ...input }: { user_token: string }) =>
    client.catalog.createOrder(input as never, { user_token }),
  'catalog.get_order': (client, { order_no, user_token }: { order_no: string; user_token: string }) =>
    client.catalog.getOrder(order_no, { user_token }),
  'catalog.start_payment': (client, args: { order_no: string; payment_no: string; user_token: string }) =>
    client.catalog.startPayment(args.order_no, args.payment_no, args),
  'catalog.payment_status': (client, { order_no, user_token }: { order_no: string; user_token: string }) =>
    client.catalog.paymentStatus(order_no, { user_token }),
  exchange_code: (client, args) => client.exchangeCode(args),
  user_info: (client, { user_token }: { user_token: string }) => client.userInfo(user_token),
  authorization_url: (client, args) => client.authorizationUrl(args),
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** `bigint` as its digits, as the vectors have it. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one)));

/** A client whose requests get scripted answers, under a clock that waiting moves. */
function bench(vector: ClientVector) {
  const seen = {
    requests: [] as Members[],
    tokens: [] as Members[],
    waits: [] as number[],
    attempts: [] as Attempt[],
  };
  const queues = { token: [...(vector.token_answers ?? [])], api: [...(vector.answers ?? [])] };
  let now_ms = 1_000_000;
  const fetch = (address: string, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    const url = new URL(address);
    const query = Object.fromEntries(url.searchParams);
    const sent = headers as Record<string, string>;
    const is_form = sent['content-type'] === 'application/x-www-form-urlencoded';
    const plain_url = url.origin + url.pathname;
    if (is_form) {
      seen.tokens.push({ url: plain_url, form: Object.fromEntries(new URLSearchParams(body as string)) });
    } else {
      seen.requests.push({
        method,
        url: plain_url,
        ...(Object.keys(query).length === 0 ? {} : { query }),
        token: sent['authorization']?.replace(/^Bearer /, ''),
        ...(body === undefined ? {} : { body: JSON.parse(body as string) as unknown }),
      });
      expect(sent['content-type']).toBe(body === undefined ? undefined : 'application/json');
    }
    const queue = is_form ? queues.token : queues.api;
    const token = { access_token: `token-${seen.tokens.length}`, token_type: 'Bearer', expires_in: 3600 };
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? {
      status: 200,
      body: is_form ? token : {},
    };
    if (answer.fault === 'connection') return Promise.reject(new TypeError('fetch failed'));
    if (answer.fault === 'timeout') {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    }
    const text = answer.text ?? JSON.stringify(answer.body);
    return Promise.resolve(new Response(text, { status: answer.status, headers: answer.headers ?? {} }));
  };
  const create = () =>
    createClient({
      base_url: 'https://pay.example/prefix/',
      client_id: 'c1',
      client_secret: 'client-secret-never-shown',
      ...(JSON.stringify(vector).includes('"timeout"') ? { attempt_timeout_ms: 250 } : {}),
      ...vector.options,
      onAttempt: (attempt) => seen.attempts.push(attempt),
      fetch: fetch as typeof globalThis.fetch,
      now: () => now_ms,
      random: () => vector.random ?? 1,
      sleep: (ms) => {
        seen.waits.push(ms);
        now_ms += ms;
        return Promise.resolve();
      },
    });
  const advance = (ms: number): void => {
    now_ms += ms;
  };
  return { seen, create, advance };
}

/** Makes one call and compares what it gives. Returns what the error prints. */
async function check(client: PaydeskClient, { call, args, result, error, refused, authorization }: Call) {
  const outcome = await Promise.resolve()
    .then(() => calls[call]?.(client, args as never))
    .then(
      (value) => ({ value, thrown: undefined }),
      (thrown: unknown) => ({ value: undefined, thrown }),
    );
  if (result !== undefined) {
    expect(outcome.thrown).toBeUndefined();
    expect(plain(outcome.value)).toMatchObject(result as Members);
  } else if (error !== undefined) {
    expect(outcome.thrown).toBeInstanceOf(PaydeskError);
    const thrown = outcome.thrown as Members;
    expect(Object.fromEntries(Object.keys(error).map((name) => [name, thrown[name] ?? null]))).toEqual(error);
  } else if (refused === true) {
    expect(outcome.thrown).toBeInstanceOf(TypeError);
  } else {
    const { url, state, code_verifier } = outcome.value as Record<string, string>;
    const asked = new URL(url ?? '');
    const { code_challenge, ...query } = Object.fromEntries(asked.searchParams);
    expect({ url: asked.origin + asked.pathname, query }).toEqual(authorization);
    expect([state, code_verifier?.length, code_challenge?.length]).toEqual([query['state'], 43, 43]);
  }
  return inspect(outcome.thrown) + String(outcome.thrown) + JSON.stringify(outcome.thrown);
}

const vectors = (
  parseObject(readFileSync(new URL('../vectors/client.json', import.meta.url), 'utf8')) as unknown as {
    vectors: ClientVector[];
  }
).vectors;

test.each(vectors)('D-285 the client: $name', async (vector) => {
  const { seen, create, advance } = bench(vector);
  if (vector.rejected_options === true) {
    expect(create).toThrow(TypeError);
    return;
  }
  const client = create();
  let printed = JSON.stringify(client);
  for (const one of vector.calls ?? []) {
    advance(one.advance_ms ?? 0);
    printed += await check(client, one);
  }
  if (vector.requests !== undefined) expect(seen.requests).toEqual(vector.requests);
  if (vector.token_requests !== undefined) expect(seen.tokens).toEqual(vector.token_requests);
  if (vector.token_request_count !== undefined) expect(seen.tokens).toHaveLength(vector.token_request_count);
  if (vector.waits_ms !== undefined) expect(seen.waits).toEqual(vector.waits_ms);
  if (vector.attempts !== undefined) {
    const told = seen.attempts.map((attempt): Members => ({ ...attempt }));
    const names = ['url', 'attempt', 'status', 'code', 'retry_in_ms', 'request_id'];
    const shown = told.map((one) => Object.fromEntries(names.map((name) => [name, one[name] ?? null])));
    expect(shown).toEqual(vector.attempts);
  }
  for (const text of vector.never_shown ?? []) expect(printed).not.toContain(text);
});
