/** The client for merchants’ servers: collection orders, channels and delivery records. */
import {
  sendWithRetries,
  sleep,
  withDeadline,
  type HttpRequest,
  type JsonObject,
  type Transport,
} from './http.ts';
import { PaydeskError } from './paydesk-error.ts';
import { createTokenSource, type TokenSource } from './token-source.ts';
import type {
  CollectionOrder,
  CreatedOrder,
  CreateOrderInput,
  DeliveryRecord,
  OrderFilter,
  PaymentChannel,
} from './types.ts';

export interface ClientOptions {
  /** The API base address, including its path prefix. HTTPS; plain HTTP only on loopback. */
  base_url: string;
  token_endpoint: string;
  client_id: string;
  client_secret: string;
  /** Default `merchant_payments.create merchant_payments.read`. */
  scope?: string;
  /** The time limit of the whole call, including retries and waits. Default 30 000. */
  timeout_ms?: number;
  /** The time limit of one attempt. Default 10 000. */
  attempt_timeout_ms?: number;
  /** Attempts per call, including the first. Default 4. */
  max_attempts?: number;
  /** Allows plain HTTP to other hosts than loopback, for a network that is otherwise private. */
  allow_plain_http?: boolean;
  fetch?: typeof fetch;
  now?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal’s reason. */
  signal?: AbortSignal;
  timeout_ms?: number;
}

/** Calls for the merchant’s collection orders. They reject with `PaydeskError`. */
export interface PaydeskClient {
  /** Creates an order, or returns the one that the same `idempotency_key` created before. */
  createOrder: (input: CreateOrderInput, options?: CallOptions) => Promise<CreatedOrder>;
  getOrder: (order_no: string, options?: CallOptions) => Promise<CollectionOrder>;
  /** Newest first, at most `limit` (1 to 100, default 20). There are no further pages. */
  listOrders: (filter: OrderFilter, options?: CallOptions) => Promise<CollectionOrder[]>;
  /** The channels that an order can be restricted to. */
  channels: (options?: CallOptions) => Promise<PaymentChannel[]>;
  /** The delivery records of the order’s notifications, highest status version first. */
  notifications: (order_no: string, options?: CallOptions & { limit?: number }) => Promise<DeliveryRecord[]>;
  /**
   * Requests another attempt for a notification whose automatic attempts are used up. It has no effect on
   * others.
   */
  retryNotification: (
    order_no: string,
    event_id: string,
    options?: CallOptions,
  ) => Promise<{ accepted: true }>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

const orders_path = '/openapi/v1/merchant-payments';
const channels_path = '/openapi/v1/merchant-payment-channels';
const default_scope = 'merchant_payments.create merchant_payments.read';

/** Creates a client for a merchant’s server. It keeps the access token in memory and never exposes it. */
export function createClient(options: ClientOptions): PaydeskClient {
  const transport = transportOf(options);
  const timeout_ms = options.timeout_ms ?? 30_000;
  const base_url = checkAddress(options.base_url, options).replace(/\/+$/, '');
  const token_endpoint = checkAddress(options.token_endpoint, options);
  const { client_id, client_secret, scope = default_scope } = options;
  const tokens = createTokenSource(transport, {
    token_endpoint,
    client_id,
    client_secret,
    scope,
    timeout_ms,
  });

  const send = (call: Call, call_options: CallOptions = {}): Promise<JsonObject> => {
    const request = requestOf(base_url, call);
    const limit_ms = call_options.timeout_ms ?? timeout_ms;
    return withDeadline(transport, limit_ms, call_options.signal, (deadline) =>
      withToken(tokens, deadline.signal, (token) => {
        const headers = { ...request.headers, authorization: `Bearer ${token}` };
        return sendWithRetries(transport, { ...request, headers }, deadline);
      }),
    );
  };

  return {
    createOrder: async (input, call_options) => {
      if (input.amount_minor !== undefined && !Number.isSafeInteger(input.amount_minor)) {
        throw new RangeError('amount_minor must be an integer that a number holds exactly');
      }
      return asOrder(await send({ method: 'POST', path: orders_path, body: input }, call_options));
    },
    getOrder: async (order_no, call_options) =>
      asOrder(await send({ method: 'GET', path: orderPath(order_no) }, call_options)),
    listOrders: async ({ external_reference, order_no, limit }, call_options) => {
      const query = { external_reference, order_no, limit };
      return itemsOf(await send({ method: 'GET', path: orders_path, query }, call_options));
    },
    channels: async (call_options) =>
      itemsOf(await send({ method: 'GET', path: channels_path }, call_options)),
    notifications: async (order_no, { limit, ...call_options } = {}) => {
      const path = `${orderPath(order_no)}/notifications`;
      return itemsOf(await send({ method: 'GET', path, query: { limit } }, call_options));
    },
    retryNotification: async (order_no, event_id, call_options) => {
      const path = `${orderPath(order_no)}/notifications/${pathSegment(event_id)}/retry`;
      const answer = await send({ method: 'POST', path }, call_options);
      if (answer['accepted'] !== true) throw invalidResponse('the replay was not accepted');
      return { accepted: true };
    },
  };
}

function transportOf(options: ClientOptions): Transport {
  return {
    fetch: options.fetch ?? globalThis.fetch,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    max_attempts: options.max_attempts ?? 4,
    attempt_timeout_ms: options.attempt_timeout_ms ?? 10_000,
  };
}

/**
 * Runs a call with a token. If the service rejects the token, it runs the call once more with a new one: a
 * call with a rejected token has no effect, so nothing happens twice. A token that lacks a scope never gets
 * it, so it is dropped for the next call, at most once a minute.
 */
async function withToken<T>(
  tokens: TokenSource,
  signal: AbortSignal,
  call: (token: string) => Promise<T>,
): Promise<T> {
  const token = await untilAborted(tokens.get(), signal);
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof PaydeskError)) throw error;
    if (error.code === 'insufficient_scope') tokens.drop(token, 60_000);
    if (error.status !== 401) throw error;
    tokens.drop(token);
  }
  return call(await untilAborted(tokens.get(), signal));
}

/**
 * Returns the promise’s result, or rejects with the signal’s reason if that comes first. It does not stop the
 * work of the promise.
 */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

function requestOf(base_url: string, { method, path, query = {}, body }: Call): HttpRequest {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const url = `${base_url}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
  const accept = { accept: 'application/json' };
  if (body === undefined) return { method, url, headers: accept };
  const headers = { ...accept, 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body) };
}

function orderPath(order_no: string): string {
  return `${orders_path}/${pathSegment(order_no)}`;
}

/** An identifier as one path segment. Empty and dot segments would lead to another address. */
function pathSegment(identifier: string): string {
  if (identifier === '' || identifier === '.' || identifier === '..') {
    throw new TypeError('an identifier must not be empty or made of dots');
  }
  return encodeURIComponent(identifier);
}

/** Returns the address if it is safe for credentials: HTTPS, or HTTP on loopback. */
function checkAddress(text: string, { allow_plain_http = false }: ClientOptions): string {
  const url = new URL(text);
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  const fine = url.protocol === 'https:' || (url.protocol === 'http:' && (loopback || allow_plain_http));
  if (!fine) throw new TypeError(`${url.origin} must be HTTPS`);
  return text;
}

/**
 * Checks the members that decisions depend on. The answer to a creation lacks some members of queries; the
 * type of `createOrder` shows this.
 */
function asOrder(answer: JsonObject): CollectionOrder {
  const texts = ['order_no', 'external_reference', 'amount', 'currency', 'status'];
  if (!texts.every((name) => typeof answer[name] === 'string'))
    throw invalidResponse('not a collection order');
  return answer as unknown as CollectionOrder;
}

function itemsOf<T>(answer: JsonObject): T[] {
  const items = answer['items'];
  if (!Array.isArray(items)) throw invalidResponse('the list has no items');
  return items as T[];
}

function invalidResponse(description: string): PaydeskError {
  return new PaydeskError({ status: 200, code: 'invalid_response', description });
}
