import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { startCardsim, type Cardsim, type CardsimOptions } from '../src/index.ts';

export const secret_key = 'sk_test_first';
export const webhook_secret = 'whsec_test';
export const start_seconds = 1_800_000_000;

/** The real time of the simulator under test. A test can set it. */
export type Time = { ms: number };

export type Bench = {
  sim: Cardsim;
  stripe: Stripe;
  receiver: Receiver;
  time: Time;
  control: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Answer }>;
};

/** The members of control answers that tests read. Each answer has some of them. */
export type Answer = {
  items: Answer[];
  id: string;
  status: string | number | null;
  attempt: number;
  payment_status: string;
  offset_seconds: number;
  sent: number;
};

/** Starts a simulator with one webhook receiver and the official client. All stop when the test ends. */
export async function startBench(options: CardsimOptions = {}): Promise<Bench> {
  const receiver = await startReceiver();
  const time: Time = { ms: start_seconds * 1000 };
  const sim = await startCardsim({
    webhooks: [{ url: receiver.url, secret: webhook_secret }],
    now: () => time.ms,
    webhookRetryDelaysMs: [5, 5],
    ...options,
  });
  onTestFinished(() => sim.close());
  return { sim, stripe: clientOf(sim), receiver, time, control: controlOf(sim) };
}

/** The official client of the simulator, without retries. */
export function clientOf(sim: Cardsim, key = secret_key, timeout = 5000): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port: sim.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout,
  });
}

export function controlOf(sim: Cardsim): Bench['control'] {
  return async (method, path, body) => {
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    const answer = await fetch(`${sim.url}/_sim${path}`, { method, ...init });
    return { status: answer.status, body: (await answer.json()) as Answer };
  };
}

export type Received = { signature: string; body: string; event: Stripe.Event; request_number: number };

export type Receiver = {
  url: string;
  received: Received[];
  /** Statuses of the next answers; 200 if it is empty. */
  statuses: number[];
  /** Resolves with all received calls when there are `count` of them. */
  waitFor: (count: number) => Promise<Received[]>;
  /** While set, calls are recorded and answered when it resolves. */
  gate: Promise<void> | undefined;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await textOf(request);
      const event = JSON.parse(body) as Stripe.Event;
      const signature = String(request.headers['stripe-signature']);
      received.push({ signature, body, event, request_number: received.length + 1 });
      waiting = waiting.filter(({ count, resolve }) => {
        if (received.length < count) return true;
        resolve();
        return false;
      });
      await receiver.gate;
      response.writeHead(receiver.statuses.shift() ?? 200).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    statuses: [],
    gate: undefined,
    waitFor: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve(received);
        else
          waiting.push({
            count,
            resolve: () => {
              resolve(received);
            },
          });
      }),
  };
  return receiver;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export type SessionParams = Stripe.Checkout.SessionCreateParams;

/** The parameters of a session of USD 10.00. */
export function sessionParams(changes: Partial<SessionParams> = {}): SessionParams {
  return {
    mode: 'payment',
    success_url: 'https://shop.test/ok?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.test/cancel',
    client_reference_id: 'attempt-1',
    metadata: { order_no: 'order-1' },
    line_items: [lineItem(1000, 'usd')],
    ...changes,
  };
}

export function lineItem(
  unit_amount: number,
  currency: string,
  quantity = 1,
): Stripe.Checkout.SessionCreateParams.LineItem {
  return { quantity, price_data: { currency, unit_amount, product_data: { name: 'Blue & <green> tea' } } };
}

/** Returns the error of a promise. */
export async function failureOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await promise;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('The call was expected to fail, and succeeded');
}
