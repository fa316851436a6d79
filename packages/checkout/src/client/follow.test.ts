import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { viewOf } from '../../test/support/views.ts';
import type { CheckoutState } from '../model/state.ts';
import { follow, type Follower } from './follow.ts';

/** An event stream that a test opens, feeds and breaks. */
class FakeStream extends EventTarget {
  static readonly OPEN = 1;
  static last: FakeStream | null = null;
  readyState = 0;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeStream.last = this;
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  send(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  fail(): void {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = 2;
  }
}

const page = { hidden: false };
const network = { onLine: true };
let fetched: { url: string; token: string | null; language: string | null }[];
let answer: () => Response;
let seen: CheckoutState[];
let follower: Follower;

beforeEach(() => {
  vi.useFakeTimers();
  FakeStream.last = null;
  page.hidden = false;
  network.onLine = true;
  fetched = [];
  seen = [];
  answer = () => Response.json(viewOf());
  vi.stubGlobal('EventSource', FakeStream);
  const document = new EventTarget();
  Object.defineProperty(document, 'hidden', { get: () => page.hidden });
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    fetched.push({
      url,
      token: headers.get('x-checkout-token'),
      language: headers.get('accept-language'),
    });
    return Promise.resolve(answer());
  });
  follower = follow(
    { base_path: '/pay', order_no: 'mp_1', token: 't', locale: 'de' },
    viewOf({ version: 'v 1' }),
    (state) => seen.push(state),
  );
});

afterEach(() => {
  follower.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('live updates', () => {
  test('D-121 D-256 the stream is asked for from the known version, without the token, the state with it in a header', async () => {
    await pass(3_000);
    expect(FakeStream.last?.url).toBe('/pay/checkout/api/mp_1/events?version=v%201');
    expect(fetched).toEqual([{ url: '/pay/checkout/api/mp_1', token: 't', language: 'de' }]);
  });

  test('an open stream ends the polling, and its events carry the state', async () => {
    FakeStream.last?.open();
    await pass(60_000);
    expect(fetched).toEqual([]);
    FakeStream.last?.send(JSON.stringify(viewOf({ status: 'paid' })));
    expect(seen.map((state) => state.status)).toEqual(['paid']);
  });

  test('an event that is no state has one read', async () => {
    FakeStream.last?.open();
    FakeStream.last?.send('changed');
    await pass(0);
    expect(fetched).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  test('polling goes on while the stream is broken', async () => {
    FakeStream.last?.open();
    FakeStream.last?.fail();
    await pass(9_500);
    expect(fetched).toHaveLength(3);
  });

  test('R-223 a minute without news stays far below a ninth of the limit of reads', async () => {
    await pass(60_000);
    expect(fetched.length).toBeGreaterThan(5);
    expect(fetched.length).toBeLessThanOrEqual(12);
  });

  test('R-223 a limited tab waits as long as it is told', async () => {
    answer = () =>
      Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'retry-after': '40' } });
    await pass(3_000);
    await pass(39_000);
    expect(fetched).toHaveLength(1);
    await pass(1_000);
    expect(fetched).toHaveLength(2);
    expect(seen).toEqual([]);
  });

  test.each([
    ['hidden', () => (page.hidden = true), () => (page.hidden = false)],
    ['offline', () => (network.onLine = false), () => (network.onLine = true)],
  ])('a page that is %s rests, and reads at once when it is back', async (_name, leave, comeBack) => {
    leave();
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(120_000);
    expect(fetched).toEqual([]);
    expect(FakeStream.last?.readyState).toBe(2);
    comeBack();
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(fetched).toHaveLength(1);
    expect(FakeStream.last?.readyState).toBe(0);
  });

  test('nothing is read once it was stopped', async () => {
    follower.stop();
    await pass(120_000);
    expect(fetched).toEqual([]);
  });
});

describe('an open stream', () => {
  test('D-1252 what an event tells of is read again after a failure, although the stream is open', async () => {
    FakeStream.last?.open();
    answer = () => Response.json({ error: 'service_unavailable' }, { status: 503 });
    FakeStream.last?.send('changed');
    await pass(0);
    answer = () => Response.json(viewOf({ status: 'paid' }));
    await pass(3_000);
    expect(seen.map(({ status }) => status)).toEqual(['paid']);
    await pass(60_000);
    expect(fetched).toHaveLength(2);
  });

  test('D-1252 an answer that comes after a newer one is not shown', async () => {
    const give: ((answer: Response) => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => give.push(resolve)));
    FakeStream.last?.open();
    FakeStream.last?.send('changed');
    FakeStream.last?.send('changed');
    give[1]?.(Response.json(viewOf({ status: 'paid' })));
    await pass(0);
    give[0]?.(Response.json(viewOf()));
    await pass(0);
    expect(seen.map(({ status }) => status)).toEqual(['paid']);
  });

  test('D-1252 what an event tells of is read again also where the answer to an earlier event comes after the failure', async () => {
    const give: ((answer: Response) => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => give.push(resolve)));
    FakeStream.last?.open();
    FakeStream.last?.send('changed');
    FakeStream.last?.send('changed');
    give[1]?.(Response.json({ error: 'rate_limited' }, { status: 429 }));
    await pass(0);
    give[0]?.(Response.json(viewOf()));
    await pass(3_000);
    give[2]?.(Response.json(viewOf({ status: 'paid' })));
    await pass(0);
    expect(seen.at(-1)?.status).toBe('paid');
  });
});
