import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TokenStream } from './token-stream.ts';

let asked: { url: string; init: RequestInit }[];
let send: (text: string) => void;
let end: () => void;
let status: number;
let heard: string[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  heard = [];
  status = 200;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
        };
        end = () => {
          controller.close();
        };
      },
    });
    return Promise.resolve(new Response(body, { status }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

function listen(): TokenStream {
  const stream = new TokenStream('/checkout/api/mp_1/events', 'secret');
  for (const type of ['open', 'error']) stream.addEventListener(type, () => heard.push(type));
  stream.addEventListener('message', (event) => heard.push((event as MessageEvent<string>).data));
  return stream;
}

describe('D-268 a stream without a cookie', () => {
  test('shows the token in a header, sends no cookie, and hears events that come in pieces', async () => {
    const stream = listen();
    await settle();
    expect(asked).toMatchObject([
      {
        url: '/checkout/api/mp_1/events',
        init: { headers: { 'x-checkout-token': 'secret' }, credentials: 'omit' },
      },
    ]);
    expect([stream.readyState, heard]).toEqual([1, ['open']]);
    send('retry: 2000\n\ndata: cha');
    await settle();
    send('nged\n\n:\n\ndata: again\n\n');
    await settle();
    expect(heard).toEqual(['open', 'changed', 'again']);
    stream.close();
  });

  test('opens again two seconds after its end', async () => {
    const stream = listen();
    await settle();
    end();
    await settle();
    expect([stream.readyState, heard]).toEqual([0, ['open', 'error']]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([asked.length, stream.readyState]).toEqual([2, 1]);
    stream.close();
    expect(asked[1]?.init.signal?.aborted).toBe(true);
  });

  test('stays closed where it is refused', async () => {
    status = 429;
    const stream = listen();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, stream.readyState, heard]).toEqual([1, 2, ['error']]);
  });
});
