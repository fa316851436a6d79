import Stripe from 'stripe';
import type { SecretBox } from '../base/secret-box.ts';
import type { Channel } from './channel.ts';

/** How a look-up ended. */
export type Lookup<T> = { kind: 'found'; value: T } | { kind: 'none' } | { kind: 'failed'; reason: string };

/** How a request that changes something was not carried out, or may have been (D-091). */
export type Unanswered = { kind: 'refused'; reason: string } | { kind: 'unclear'; reason: string };

/** The provider's package as the channels use it. */
export interface CardClients {
  /** With the keys of a channel. */
  of: (channel: Channel) => Stripe;
  /** Gives up on an answer in time. The package's own timeout restarts with every byte; this one does not. */
  withinTime: <T>(answer: Promise<T>) => Promise<T>;
  /** Asks for one object, each call in time; a 404 says that there is none. */
  lookup: <T>(ask: () => Promise<T | null>) => Promise<Lookup<T>>;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Even without retries the package asks a second time where a connection was closed. A refusal would then look
 * like the first answer and unlock the method, though the first call may have been carried out: it is
 * kept from recognising these errors.
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
 * One client for each account, made at its first use; its key stays sealed until then.
 *
 * @param timeout_ms how long a call may take
 */
export function cardClients(box: SecretBox, timeout_ms: number): CardClients {
  const clients = new Map<string, Stripe>();
  const withinTime = <T>(answer: Promise<T>): Promise<T> => inTime(answer, timeout_ms + 200);
  const of = (channel: Channel): Stripe => {
    const { api_base, secret_key_box } = channel;
    if (secret_key_box === null) throw new Error(`channel ${channel.payment_no} has no key`);
    const name = `${api_base} ${secret_key_box.toString('base64')}`;
    let client = clients.get(name);
    if (client === undefined) {
      const url = new URL(api_base);
      client = new Stripe(box.open(secret_key_box), {
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
        protocol: url.protocol === 'http:' ? 'http' : 'https',
        timeout: timeout_ms,
        // Retries are ours, under the same key, so that nothing is asked for behind our back.
        maxNetworkRetries: 0,
        httpClient: onceOnly(Stripe.createNodeHttpClient()),
        telemetry: false,
      });
      clients.set(name, client);
    }
    return client;
  };
  return {
    of,
    withinTime,
    async lookup(ask) {
      try {
        const value = await ask();
        return value === null ? { kind: 'none' } : { kind: 'found', value };
      } catch (error) {
        const missing = error instanceof Stripe.errors.StripeError && error.statusCode === 404;
        return missing ? { kind: 'none' } : { kind: 'failed', reason: reasonOf(error) };
      }
    },
  };
}

/** What an error in place of an answer means: a definite refusal, or that nobody knows (D-091). */
export function unanswered(error: unknown): Unanswered {
  return { kind: isRefusal(error) ? 'refused' : 'unclear', reason: reasonOf(error) };
}

const unclearStatuses = new Set([408, 409, 425, 429]);

/** A definite refusal: 4xx with the provider's own error object, but for those that ask to try again (D-091). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const { statusCode, rawType } = error;
  return (
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500 &&
    !unclearStatuses.has(statusCode) &&
    typeof rawType === 'string'
  );
}

/** Why, in a few words fit for an operator; never a key, never a body. */
function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) {
    return [error.type, error.statusCode, error.code, error.param].filter(Boolean).join(' ');
  }
  return error instanceof Error ? error.name : 'error';
}

class ProviderTimeout extends Error {
  override name = 'timeout';
}

async function inTime<T>(answer: Promise<T>, limit_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderTimeout());
    }, limit_ms);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
