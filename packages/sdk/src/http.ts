import { setTimeout as wait } from 'node:timers/promises';
import { PaydeskError } from './paydesk-error.ts';

/** What a call needs from the world; tests bring their own. */
export interface Transport {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Tries per call, the first included. */
  max_attempts: number;
  attempt_timeout_ms: number;
}

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** Serialised once: every retry sends these very bytes. */
  body?: string;
}

/** The end of a call: no try starts, and no wait reaches, beyond `at` (milliseconds since 1970). */
export interface Deadline {
  at: number;
  signal: AbortSignal;
}

export type JsonObject = Record<string, unknown>;

const first_delay_ms = 250;
const longest_delay_ms = 8000;
const retried_statuses: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Waits, and ends early with the reason of the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Runs `work` for at most `timeout_ms`, retries and waits included, or until the caller's signal ends it. */
export async function withDeadline<T>(
  transport: Transport,
  timeout_ms: number,
  caller: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new PaydeskError({ status: 0, code: 'timeout', description: 'no result in time' }));
  }, timeout_ms);
  const onAbort = () => {
    controller.abort(caller?.reason);
  };
  caller?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work({ at: transport.now() + timeout_ms, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}

/**
 * Sends a request that is safe to repeat, and repeats it, unchanged, after failures that say nothing about
 * its outcome or that ask for patience. Gives the JSON object of a success; everything else is a
 * `PaydeskError`, or the reason of an aborted signal.
 */
export async function exchange(
  transport: Transport,
  request: HttpRequest,
  deadline: Deadline,
): Promise<JsonObject> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(transport, request, deadline.signal);
    if (!(result instanceof PaydeskError)) return result;
    const delay_ms = delayBeforeNext(result, attempt, transport.random());
    const hopeless = attempt >= transport.max_attempts || !isRetried(result);
    if (hopeless || transport.now() + delay_ms >= deadline.at) throw result;
    await transport.sleep(delay_ms, deadline.signal);
  }
}

/** Too many requests is retried only if the service says when; other refusals would only be repeated. */
function isRetried(error: PaydeskError): boolean {
  if (error.status === 429) return error.retry_after_s !== undefined;
  const no_answer = error.code === 'network_error' || error.code === 'timeout';
  const broken_answer = error.code === 'invalid_response' && error.status >= 200 && error.status < 300;
  return no_answer || broken_answer || retried_statuses.has(error.status);
}

/** Doubling, with half of it left to chance so that many clients do not return at once; never before asked. */
function delayBeforeNext(error: PaydeskError, attempt: number, chance: number): number {
  const backoff_ms = Math.min(longest_delay_ms, first_delay_ms * 2 ** (attempt - 1)) * (0.5 + chance / 2);
  return Math.max(backoff_ms, (error.retry_after_s ?? 0) * 1000);
}

async function tryOnce(
  transport: Transport,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<JsonObject | PaydeskError> {
  signal.throwIfAborted();
  const attempt_signal = AbortSignal.timeout(transport.attempt_timeout_ms);
  try {
    const response = await transport.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      // A redirect could carry the token elsewhere or turn a POST into a GET: it is an answer like any other.
      redirect: 'manual',
      signal: AbortSignal.any([signal, attempt_signal]),
    });
    return readAnswer(response, await response.text(), transport.now());
  } catch (cause) {
    signal.throwIfAborted();
    const code = attempt_signal.aborted ? 'timeout' : 'network_error';
    return new PaydeskError({ status: 0, code, description: 'no answer arrived', cause });
  }
}

/** A success is a 2xx with a JSON object that names no error: 202 `provider_result_pending` is none. */
function readAnswer(response: Response, text: string, now_ms: number): JsonObject | PaydeskError {
  const body = parseObject(text);
  const code = body?.['error'];
  if (response.ok && body !== undefined && code === undefined) return body;
  const known = typeof code === 'string';
  return new PaydeskError({
    status: response.status,
    code: known ? code : 'invalid_response',
    description: known
      ? (textOf(body?.['error_description']) ?? textOf(body?.['description']))
      : 'the answer is not one of this service',
    field: textOf(body?.['field']),
    retry_after_s: parseRetryAfter(response.headers.get('retry-after'), now_ms),
    request_id: response.headers.get('x-request-id') ?? undefined,
  });
}

/** Seconds, or an HTTP date as intermediaries may send it; undefined where absent or unreadable. */
function parseRetryAfter(header: string | null, now_ms: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const at_ms = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at_ms) ? undefined : Math.max(0, Math.ceil((at_ms - now_ms) / 1000));
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
