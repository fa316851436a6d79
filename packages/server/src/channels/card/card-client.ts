/**
 * The card provider's package, with our time limits, retries and words for failures. It is loaded at its first use: an
 * installation without cards never needs it.
 */
import type Stripe from 'stripe';
import { demandPackage, PackageError } from '../../base/load-once.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { type SecretBox, SecretError } from '../../base/secret-box.ts';
import { inTime } from '../../base/time/in-time.ts';
import { failSpan, inSpan, traceHeaders } from '../../base/tracing/tracing.ts';
import type { Channel } from '../index.ts';

let library: typeof Stripe | undefined;

/** The package, loaded at the first use of a card channel (D-560). */
export const loadStripe = async (): Promise<typeof Stripe> =>
  (library ??= (await demandPackage('stripe', () => import('stripe'))).default);

/** The errors of the package. While it is not loaded, none of them exists. */
const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  library !== undefined && error instanceof library.errors.StripeError;

/** How a look-up ended. */
export type Lookup<T> = { kind: 'found'; value: T } | { kind: 'none' } | { kind: 'failed'; reason: string };

/**
 * A change that the provider refused, or whose outcome is unclear (D-091). `unreached`: the connection failed before a
 * byte of an answer (D-196).
 */
export type Unanswered =
  | { kind: 'refused'; reason: string }
  | { kind: 'unclear'; reason: string; unreached?: boolean };

/** The clients of all channels. */
export interface CardClients {
  /** Throws SecretError if the key of the channel cannot be opened. */
  checkKey: (channel: Channel) => void;
  /**
   * Asks with the key of a channel. Rejects when the time limit is over: the package's own timeout restarts with every byte,
   * this one does not. Rejects with SecretError if the key cannot be opened.
   */
  ask: <T>(channel: Channel, question: (client: Stripe) => Promise<T>) => Promise<T>;
  /** Looks one object up; a 404 means that there is none. */
  lookup: <T>(ask: () => Promise<T | null>) => Promise<Lookup<T>>;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/** The path of a call with a placeholder for each id, and without its query: `/v1/refunds/{id}`. */
const templateOf = (path: string): string =>
  path.split('?', 1)[0]?.replaceAll(/\/[a-z]+_(?=\w*[A-Z0-9])\w+(?=\/|$)/g, '/{id}') ?? '';

/** Reports each call as a span, and passes the trace on to the provider. */
function traced(client: HttpClient): HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) => {
    const template = templateOf(path);
    const attributes = {
      'http.request.method': method,
      'url.template': template,
      'server.address': host,
      'server.port': Number(port),
    };
    return inSpan(`${method} ${template}`, { kind: 'client', attributes }, async (span) => {
      const answer = await makeRequest(
        host,
        port,
        path,
        method,
        { ...(headers as object), ...traceHeaders() },
        ...rest,
      );
      const status = answer.getStatusCode();
      span?.setAttribute('http.response.status_code', status);
      if (span !== null && status >= 400) failSpan(span, String(status));
      return answer;
    });
  };
  return client;
}

/**
 * Prevents the package from sending a request again after a closed connection, which it does even with retries off. A
 * refusal of the second request would unlock the method although the first may have succeeded. So these errors
 * are replaced by one that the package does not recognize.
 */
function onceOnly(client: HttpClient): HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (...args) =>
    makeRequest(...args).catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      throw code === 'ECONNRESET' || code === 'EPIPE'
        ? new Error('the connection was closed', { cause: error })
        : error;
    });
  return client;
}

/**
 * Makes one client for each channel, at its first use. The key stays sealed until then.
 *
 * @param timeout_ms time limit of a call
 */
export function cardClients(box: SecretBox, timeout_ms: number): CardClients {
  const clients = new Map<string, Stripe>();
  const openKey = (channel: Channel): string => {
    const { payment_no, secret_key_box } = channel;
    if (secret_key_box === null) throw new Error(`channel ${payment_no} has no key`);
    return box.open(secret_key_box, sealed.channelKey.row(channel));
  };
  const clientOf = async (channel: Channel): Promise<Stripe> => {
    const { api_base, payment_no, secret_key_box } = channel;
    const Package = await loadStripe();
    const name = `${payment_no} ${api_base} ${secret_key_box?.toString('base64') ?? ''}`;
    let client = clients.get(name);
    if (client === undefined) {
      const url = new URL(api_base);
      client = new Package(openKey(channel), {
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
        protocol: url.protocol === 'http:' ? 'http' : 'https',
        timeout: timeout_ms,
        // We retry ourselves, with the same idempotency key.
        maxNetworkRetries: 0,
        httpClient: onceOnly(traced(Package.createNodeHttpClient())),
        telemetry: false,
      });
      clients.set(name, client);
    }
    return client;
  };
  return {
    checkKey(channel) {
      if (channel.secret_key_box !== null) openKey(channel);
    },
    ask: async (channel, question) =>
      inTime(question(await clientOf(channel)), timeout_ms + 200, () => {
        throw new ProviderTimeout();
      }),
    async lookup(ask) {
      try {
        const value = await ask();
        return value === null ? { kind: 'none' } : { kind: 'found', value };
      } catch (error) {
        throwOwnFault(error);
        const missing = isStripeError(error) && error.statusCode === 404;
        return missing ? { kind: 'none' } : { kind: 'failed', reason: reasonOf(error) };
      }
    },
  };
}

/**
 * Throws the error again if the fault is ours and nothing was sent (D-199, D-831): a secret that cannot be opened says nothing
 * about the provider (D-091).
 */
function throwOwnFault(error: unknown): void {
  if (error instanceof SecretError || error instanceof PackageError) throw error;
}

/** Tells a definite refusal from an unclear outcome (D-091). Throws a fault of ours: then nothing was sent. */
export function unanswered(error: unknown): Unanswered {
  throwOwnFault(error);
  const reason = reasonOf(error);
  if (isRefusal(error)) return { kind: 'refused', reason };
  return { kind: 'unclear', reason, unreached: hasNoAnswer(error) };
}

/** What a call gave, or why it gave nothing. */
export const answered = <T>(call: () => Promise<T>): Promise<T | Unanswered> => call().catch(unanswered);

/** Whether the connection failed before the head of an answer had arrived. A time-out does not tell. */
function hasNoAnswer(error: unknown): boolean {
  if (library === undefined || !(error instanceof library.errors.StripeConnectionError)) return false;
  return connectionCodeOf(error) !== 'ETIMEDOUT';
}

/** Why a connection failed, in the words of Node.js; null for another error. */
function connectionCodeOf({ detail }: { detail?: unknown }): string | null {
  const { code } = (detail ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : null;
}

const unclearStatuses = new Set([408, 409, 425, 429]);

/** A definite refusal is a 4xx with the provider's own error object, except statuses that ask for a retry (D-091). */
function isRefusal(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const { statusCode, rawType } = error;
  return (
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500 &&
    !unclearStatuses.has(statusCode) &&
    typeof rawType === 'string'
  );
}

/** The reason in a few words for operators and the log, such as `ECONNREFUSED` (D-990). It never contains a key or a body. */
function reasonOf(error: unknown): string {
  if (isStripeError(error)) {
    const code = error.code ?? connectionCodeOf(error);
    return [error.type, error.statusCode, code, error.param].filter(Boolean).join(' ');
  }
  return error instanceof Error ? error.name : 'error';
}

class ProviderTimeout extends Error {
  override name = 'timeout';
}
