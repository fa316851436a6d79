/** What the tests of the client share: a fake service, a clock that waiting moves, and an order. */
import { afterEach, beforeEach, expect } from 'vitest';
import { createClient, type ClientOptions, type PaydeskClient } from '../src/client/client.ts';
import { PaydeskError } from '../src/paydesk-error.ts';
import type { CreateOrderInput } from '../src/types.ts';
import { startService, type Answer, type FakeService } from './service.ts';

export const order = {
  order_no: 'mp_1',
  external_reference: 'SO-1',
  payment_no: '',
  amount: '10.00',
  amount_minor: 1000,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  test_mode: false,
  checkout_url: 'https://pay.example/checkout/mp_1?token=t',
  expires_at: '2026-03-01T10:30:00.000Z',
};
export const created: Answer = { status: 201, body: order };
export const input: CreateOrderInput = {
  external_reference: 'SO-1',
  idempotency_key: 'key-1',
  amount: '10.00',
  currency: 'USD',
};
export const secret = 'client-secret-never-shown';

export interface ClientBed {
  service: FakeService;
  /** The clock. Waiting moves it. */
  now_ms: number;
  /** All waits so far, in milliseconds. */
  waits: number[];
  client: (options?: Partial<ClientOptions>) => PaydeskClient;
}

/** Starts a fake service before each test of this file, and closes it afterwards. */
export function useClient(): ClientBed {
  const bed = {
    client: (options: Partial<ClientOptions> = {}) =>
      createClient({
        base_url: `${bed.service.origin}/prefix/`,
        token_endpoint: `${bed.service.origin}/token`,
        client_id: 'c1',
        client_secret: secret,
        now: () => bed.now_ms,
        random: () => 1,
        sleep: (ms) => {
          bed.waits.push(ms);
          bed.now_ms += ms;
          return Promise.resolve();
        },
        ...options,
      }),
  } as ClientBed;
  beforeEach(async () => {
    bed.service = await startService();
    bed.now_ms = 1_000_000;
    bed.waits = [];
  });
  afterEach(() => bed.service.close());
  return bed;
}

/** The `PaydeskError` that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<PaydeskError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PaydeskError);
  return error as PaydeskError;
}
