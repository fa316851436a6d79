/** Sends calls of the API with a token, within a time limit. */
import type { JsonObject } from './exact-json.ts';
import { type Deadline, sendWithRetries, withDeadline, type HttpRequest, type Transport } from './http.ts';
import { PaydeskError } from '../paydesk-error.ts';
import { isToken, type TokenSource } from './token-source.ts';

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal’s reason. */
  signal?: AbortSignal;
  /** The time limit of the whole call, including retries and waits. */
  timeout_ms?: number;
}

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** False: it is repeated only after an answer which says that nothing happened. */
  repeatable?: boolean;
}

/** Sends one call and returns the JSON object of its success. */
export type Send = (call: Call, options?: CallOptions) => Promise<JsonObject>;

interface Sender {
  transport: Transport;
  base_url: string;
  timeout_ms: number;
}

/** Sends calls with tokens of the client itself. */
export const sendWithTokens =
  ({ transport, base_url, timeout_ms }: Sender, tokens: TokenSource): Send =>
  (call, options = {}) => {
    const request = requestOf(base_url, call);
    return withDeadline(transport, options.timeout_ms ?? timeout_ms, options.signal, (deadline) =>
      withToken(tokens, deadline, (token) =>
        sendWithRetries(transport, authorized(request, token), deadline),
      ),
    );
  };

/** Sends calls with the token of a person, which only the person can replace. */
export const sendAs =
  ({ transport, base_url, timeout_ms }: Sender, user_token: string): Send =>
  (call, options = {}) =>
    withDeadline(transport, options.timeout_ms ?? timeout_ms, options.signal, (deadline) =>
      sendWithRetries(transport, authorized(requestOf(base_url, call), user_token), deadline),
    );

/** Throws `TypeError` for a text that is no token, so that the call is not tried and no error repeats the text. */
function authorized(request: HttpRequest, token: string): HttpRequest {
  if (!isToken(token)) throw new TypeError('a token is visible ASCII without spaces');
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/**
 * Runs a call with a token. If the service rejects the token, it runs the call once more with a new one: a
 * call with a rejected token has no effect, so nothing happens twice. A token that lacks a scope never gets
 * it, so it is dropped for the next call, at most once a minute.
 */
async function withToken<T>(
  tokens: TokenSource,
  deadline: Deadline,
  call: (token: string) => Promise<T>,
): Promise<T> {
  const get = (): Promise<string> => {
    deadline.asked = tokens.endpoint;
    return untilAborted(tokens.get(), deadline.signal);
  };
  const token = await get();
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof PaydeskError)) throw error;
    if (error.code === 'insufficient_scope') tokens.drop(token, 60_000);
    if (error.status !== 401) throw error;
    tokens.drop(token);
  }
  return call(await get());
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

function requestOf(
  base_url: string,
  { method, path, query = {}, body, repeatable = true }: Call,
): HttpRequest {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const url = `${base_url}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
  const accept = { accept: 'application/json' };
  if (body === undefined) return { method, url, headers: accept, repeatable };
  const headers = { ...accept, 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body), repeatable };
}

/** An identifier as one path segment. Empty and dot segments would lead to another address. */
export function pathSegment(identifier: string): string {
  if (identifier === '' || identifier === '.' || identifier === '..') {
    throw new TypeError('an identifier must not be empty or made of dots');
  }
  return encodeURIComponent(identifier);
}

/** The items of a list. */
export function itemsOf<T>(answer: JsonObject): T[] {
  const items = answer['items'];
  const is_list = Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null);
  if (!is_list) throw invalidResponse('the list has no items');
  return items as T[];
}

/** The error for an answer that is not what the call gives. */
export function invalidResponse(description: string): PaydeskError {
  return new PaydeskError({ status: 200, code: 'invalid_response', description });
}
