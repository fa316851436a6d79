/**
 * The client for merchants’ servers: collection orders, the catalog, and tokens of people. The SDKs in other languages behave
 * alike: `vectors` says how (D-285).
 */
import { type CallOptions, invalidResponse, itemsOf, pathSegment, sendAs, sendWithTokens } from './calls.ts';
import { createCatalog, type Catalog } from './catalog.ts';
import type { JsonObject } from './exact-json.ts';
import { type Attempt, sendWithRetries, sleep, withDeadline, type Transport } from './http.ts';
import {
  asUserToken,
  authorizationRequest,
  type AuthorizationInput,
  type AuthorizationRequest,
  type CodeInput,
  type UserInfo,
  type UserToken,
} from './oauth.ts';
import { createTokenSource } from './token-source.ts';
import type {
  CollectionOrder,
  CreatedOrder,
  CreateOrderInput,
  DeliveryRecord,
  OrderFilter,
  OrderRange,
  PaymentChannel,
} from '../types.ts';

/** Settings of a client; the base address, the token endpoint and the user-info endpoint are set apart. */
export interface ClientOptions {
  /** The API base address, including its path prefix. HTTPS; plain HTTP only on loopback. */
  base_url: string;
  client_id: string;
  client_secret: string;
  /** Default: `/oauth/token` below `base_url`. */
  token_endpoint?: string;
  /** Default: `authorize` beside the token endpoint. */
  authorization_endpoint?: string;
  /** Default: `/oauth/userinfo` below `base_url`. */
  userinfo_endpoint?: string;
  /** Scopes for collection orders. Default `merchant_payments.create merchant_payments.read`. */
  scope?: string;
  /** Scopes for the profile and the products. Default `merchant.profile.read products.read`. */
  catalog_scope?: string;
  /** The time limit of the whole call, including retries and waits. Default 30 000. */
  timeout_ms?: number;
  /** The time limit of one attempt. Default 10 000. */
  attempt_timeout_ms?: number;
  /** Attempts per call, including the first. Default 4. */
  max_attempts?: number;
  /** Called after each attempt, for logs and metrics. */
  onAttempt?: (attempt: Attempt) => void;
  /** Allows plain HTTP to other hosts than loopback, for a network that is otherwise private. */
  allow_plain_http?: boolean;
  fetch?: typeof fetch;
  now?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
}

/** Calls for a merchant’s server. They reject with `PaydeskError`. */
export interface PaydeskClient {
  /** Creates an order, or returns the one that the same `idempotency_key` created before. */
  createOrder: (input: CreateOrderInput, options?: CallOptions) => Promise<CreatedOrder>;
  getOrder: (order_no: string, options?: CallOptions) => Promise<CollectionOrder>;
  /** The orders of a reference or number: newest first, at most `limit` (1 to 100, default 20), without further pages. */
  listOrders: (filter: OrderFilter, options?: CallOptions) => Promise<CollectionOrder[]>;
  /**
   * All orders that were created in a range of time, or that have a reference or number: oldest first. It reads further
   * pages as the loop needs them; the limits of `options` are those of each page.
   */
  orders: (
    filter?: OrderRange | OrderFilter,
    options?: CallOptions,
  ) => AsyncGenerator<CollectionOrder, void, undefined>;
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
  /** The merchant’s profile and products, and orders of products for a person. */
  catalog: Catalog;
  /** Where to send a person’s browser, so that the person lets you order and pay for them. */
  authorizationUrl: (input: AuthorizationInput) => AuthorizationRequest;
  /** Exchanges the code that the browser brought back for the person’s token. A code works once. */
  exchangeCode: (input: CodeInput, options?: CallOptions) => Promise<UserToken>;
  /** Who the person is. The token needs the scope `openid`. */
  userInfo: (user_token: string, options?: CallOptions) => Promise<UserInfo>;
}

const orders_path = '/openapi/v1/merchant-payments';
const channels_path = '/openapi/v1/merchant-payment-channels';
const default_scope = 'merchant_payments.create merchant_payments.read';
const default_catalog_scope = 'merchant.profile.read products.read';
const beginning = '1970-01-01T00:00:00Z';

/** Creates a client for a merchant’s server. It keeps access tokens in memory and never exposes them. */
export function createClient(options: ClientOptions): PaydeskClient {
  checkCredentials(options);
  const transport = transportOf(options);
  const timeout_ms = options.timeout_ms ?? 30_000;
  const base_url = checkAddress(options.base_url, options).replace(/\/+$/, '');
  const token_endpoint = checkAddress(options.token_endpoint ?? `${base_url}/oauth/token`, options);
  const sender = { transport, base_url, timeout_ms };
  const tokensFor = (scope: string) => {
    const { client_id, client_secret } = options;
    return createTokenSource(transport, { token_endpoint, client_id, client_secret, scope, timeout_ms });
  };
  const send = sendWithTokens(sender, tokensFor(options.scope ?? default_scope));
  const sendToCatalog = sendWithTokens(sender, tokensFor(options.catalog_scope ?? default_catalog_scope));

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
    async *orders(filter = {}, call_options) {
      const query: Record<string, string | number | undefined> = pagedQuery(filter);
      for (;;) {
        const page = await send({ method: 'GET', path: orders_path, query }, call_options);
        yield* itemsOf<CollectionOrder>(page);
        if (typeof page['next_cursor'] !== 'string') return;
        query['cursor'] = page['next_cursor'];
      }
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
    catalog: createCatalog(sendToCatalog, (user_token) => sendAs(sender, user_token)),
    ...oauthOf(options, transport, { base_url, token_endpoint, timeout_ms }),
  };
}

/** The calls for tokens of people. */
function oauthOf(
  options: ClientOptions,
  transport: Transport,
  { base_url, token_endpoint, timeout_ms }: { base_url: string; token_endpoint: string; timeout_ms: number },
): Pick<PaydeskClient, 'authorizationUrl' | 'exchangeCode' | 'userInfo'> {
  const { client_id, client_secret } = options;
  const authorization_endpoint = checkAddress(
    options.authorization_endpoint ?? new URL('authorize', token_endpoint).href,
    options,
  );
  const userinfo = new URL(checkAddress(options.userinfo_endpoint ?? `${base_url}/oauth/userinfo`, options));
  return {
    authorizationUrl: (input) => authorizationRequest(authorization_endpoint, client_id, input),
    exchangeCode: (
      { code, redirect_uri, code_verifier },
      { timeout_ms: limit_ms = timeout_ms, signal } = {},
    ) => {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        code_verifier,
        client_id,
        client_secret,
      };
      const request = {
        method: 'POST' as const,
        url: token_endpoint,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
        // A code works once, and a second use ends the tokens of the first.
        repeatable: false,
      };
      return withDeadline(transport, limit_ms, signal, async (deadline) =>
        asUserToken(await sendWithRetries(transport, request, deadline)),
      );
    },
    userInfo: async (user_token, call_options) => {
      const send = sendAs({ transport, base_url: userinfo.origin, timeout_ms }, user_token);
      const answer = await send({ method: 'GET', path: userinfo.pathname + userinfo.search }, call_options);
      if (typeof answer['sub'] !== 'string') throw invalidResponse('the answer has no sub');
      return answer as UserInfo;
    },
  };
}

/** The parameters of a list with pages: only a list by creation has them, so it begins at the beginning (D-1133). */
function pagedQuery(filter: OrderRange | OrderFilter) {
  const {
    created_from = beginning,
    created_to,
    limit = 100,
    ...names
  }: OrderRange & Partial<OrderFilter> = filter;
  const text = (time: string | Date | undefined): string | undefined =>
    time instanceof Date ? time.toISOString() : time;
  return { created_from: text(created_from), created_to: text(created_to), limit, ...names };
}

function transportOf(options: ClientOptions): Transport {
  return {
    fetch: options.fetch ?? globalThis.fetch,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    max_attempts: options.max_attempts ?? 4,
    attempt_timeout_ms: options.attempt_timeout_ms ?? 10_000,
    onAttempt: options.onAttempt,
  };
}

function orderPath(order_no: string): string {
  return `${orders_path}/${pathSegment(order_no)}`;
}

/** Refuses at once what the token endpoint would refuse with the first call (D-895), such as a variable that is not set. */
function checkCredentials(options: ClientOptions): void {
  for (const name of ['client_id', 'client_secret'] as const) {
    const given: unknown = options[name];
    if (typeof given !== 'string' || given === '')
      throw new TypeError(`${name} must be a text that is not empty`);
  }
}

/** Returns the address if it is safe for credentials: HTTPS, or HTTP on loopback. */
function checkAddress(text: string, { allow_plain_http = false }: ClientOptions): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '' || url.username + url.password !== '') {
    throw new TypeError('an address must be like https://pay.example');
  }
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
