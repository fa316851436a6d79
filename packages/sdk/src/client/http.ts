/** Sends HTTP requests with time limits and retries, as the SDKs in other languages do: `vectors` says how (D-285). */
import { setTimeout as wait } from 'node:timers/promises';
import { parseObject, type JsonObject } from './exact-json.ts';
import { PaydeskError } from '../paydesk-error.ts';

/** The environment of a call. Tests provide their own. */
export interface Transport {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Attempts per call, including the first. */
  max_attempts: number;
  attempt_timeout_ms: number;
  onAttempt: ((attempt: Attempt) => void) | undefined;
}

/** One request and its outcome, for logs and metrics. It contains no secret, no token, no query and no body. */
export interface Attempt {
  method: 'GET' | 'POST';
  /** Without its query. */
  url: string;
  /** 1 is the first. */
  attempt: number;
  /** The HTTP status; 0 without an answer. */
  status: number;
  /** The error code; undefined for a success. */
  code: string | undefined;
  duration_ms: number;
  request_id: string | undefined;
  /** The wait before the next attempt; undefined if this was the last one. */
  retry_in_ms: number | undefined;
}

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** Serialized once, so that every retry sends the same bytes. */
  body?: string;
  /**
   * Whether a repetition has no further effect. If not, it is repeated only after an answer which says that nothing
   * happened (D-920). Default: true.
   */
  repeatable?: boolean;
}

/** The end of a call. No attempt starts and no wait ends after `at` (milliseconds since 1970). */
export interface Deadline {
  at: number;
  signal: AbortSignal;
  /** The address that the call asks now, for the error if the time ends (D-921). */
  asked: string | undefined;
}

const first_delay_ms = 250;
const longest_delay_ms = 8000;
/** A timer of Node.js ends at once if it is longer: about 24 days (D-1427). */
const longest_timer_ms = 2 ** 31 - 1;
const retried_statuses: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);
/** Answers which say that nothing happened (D-920, D-1360). */
const nothing_happened: ReadonlySet<string> = new Set(['rate_limit_unavailable', 'request_timeout']);

const timerOf = (ms: number): number => Math.min(Math.ceil(ms), longest_timer_ms);

/** Waits. If the signal aborts, it rejects with the signal’s reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(timerOf(ms), undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * Runs `work` for at most `timeout_ms`, including retries and waits, or until the caller’s signal aborts it.
 */
export async function withDeadline<T>(
  transport: Transport,
  timeout_ms: number,
  caller: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const deadline: Deadline = { at: transport.now() + timeout_ms, signal, asked: undefined };
  const timer = setTimeout(() => {
    controller.abort(noAnswer('timeout', deadline.asked));
  }, timerOf(timeout_ms));
  const onAbort = () => {
    controller.abort(caller?.reason);
  };
  caller?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}

/**
 * Sends a request that is safe to repeat. Repeats it unchanged after failures whose outcome is unknown, or
 * that ask the client to wait. Returns the JSON object of a success. Otherwise rejects with a `PaydeskError`,
 * or with the reason of an aborted signal.
 */
export async function sendWithRetries(
  transport: Transport,
  request: HttpRequest,
  deadline: Deadline,
): Promise<JsonObject> {
  for (let attempt = 1; ; attempt += 1) {
    const started = transport.now();
    deadline.asked = request.url;
    const { answer, error, status, request_id } = await tryOnce(transport, request, deadline.signal);
    const told = {
      method: request.method,
      url: request.url.split('?', 1)[0] ?? '',
      attempt,
      status,
      code: error?.code,
      duration_ms: transport.now() - started,
      request_id,
    };
    if (error === undefined) {
      tell(transport, { ...told, retry_in_ms: undefined });
      return answer;
    }
    const delay_ms = delayBeforeNext(error, attempt, transport.random());
    const is_final =
      deadline.signal.aborted ||
      attempt >= transport.max_attempts ||
      !isRetried(error, request.repeatable ?? true) ||
      transport.now() + delay_ms >= deadline.at;
    tell(transport, { ...told, retry_in_ms: is_final ? undefined : delay_ms });
    if (is_final) throw error;
    await transport.sleep(delay_ms, deadline.signal);
  }
}

/** A hook that throws does not change the call. */
function tell({ onAttempt }: Transport, attempt: Attempt): void {
  try {
    onAttempt?.(attempt);
  } catch {
    // It is the caller's own log or metric.
  }
}

/**
 * A 429 is retried only with `Retry-After`, and a 408 because the request did not arrive (D-1360). Other 4xx answers are
 * not retried, because they would be the same.
 */
function isRetried(error: PaydeskError, repeatable: boolean): boolean {
  if (error.status === 429) return error.retry_after_s !== undefined;
  if (!repeatable) return nothing_happened.has(error.code);
  const no_answer = error.code === 'network_error' || error.code === 'timeout';
  const broken_answer = error.code === 'invalid_response' && error.status >= 200 && error.status < 300;
  return no_answer || broken_answer || retried_statuses.has(error.status);
}

/**
 * An exponential delay. Half of it is random, so that many clients do not retry at the same time. It is never
 * shorter than `Retry-After`.
 */
function delayBeforeNext(error: PaydeskError, attempt: number, chance: number): number {
  const backoff_ms = Math.min(longest_delay_ms, first_delay_ms * 2 ** (attempt - 1)) * (0.5 + chance / 2);
  return Math.max(backoff_ms, (error.retry_after_s ?? 0) * 1000);
}

type Outcome = { status: number; request_id: string | undefined } & (
  | { answer: JsonObject; error?: undefined }
  | { answer?: undefined; error: PaydeskError }
);

async function tryOnce(transport: Transport, request: HttpRequest, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted();
  const attempt_signal = AbortSignal.timeout(timerOf(transport.attempt_timeout_ms));
  try {
    const response = await transport.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      // A redirect could send the token to another host or change a POST to a GET, so it is not followed.
      redirect: 'manual',
      signal: AbortSignal.any([signal, attempt_signal]),
    });
    return readAnswer(response, await response.text(), transport.now());
  } catch (cause) {
    const ended = signal.aborted ? (signal.reason as unknown) : undefined;
    if (signal.aborted && !(ended instanceof PaydeskError)) throw ended;
    const code = attempt_signal.aborted ? 'timeout' : 'network_error';
    const error = ended instanceof PaydeskError ? ended : noAnswer(code, request.url, cause);
    return { error, status: 0, request_id: undefined };
  }
}

/** The error without an answer. It names the origin alone (D-895): no path, no query and no credentials. */
function noAnswer(code: 'timeout' | 'network_error', url: string | undefined, cause?: unknown): PaydeskError {
  const description =
    url === undefined ? 'no result in time' : `no answer arrived from ${new URL(url).origin}`;
  return new PaydeskError({ status: 0, code, description, cause });
}

/**
 * A success is a 2xx with a JSON object without `error`. So 202 `provider_result_pending` is not a success
 * (R-370).
 */
function readAnswer(response: Response, text: string, now_ms: number): Outcome {
  const body = parseObject(text);
  const code = body?.['error'];
  const { status } = response;
  const request_id = response.headers.get('x-request-id') ?? undefined;
  if (response.ok && body !== undefined && code === undefined) return { answer: body, status, request_id };
  const known = typeof code === 'string';
  const error = new PaydeskError({
    status,
    code: known ? code : 'invalid_response',
    description: known
      ? (textOf(body?.['error_description']) ?? textOf(body?.['description']))
      : 'the answer is not one of this service',
    field: textOf(body?.['field']),
    retry_after_s: parseRetryAfter(response.headers.get('retry-after'), now_ms),
    request_id,
  });
  return { error, status, request_id };
}

/**
 * Reads seconds, or an HTTP date, which proxies can send. Returns undefined if the header is absent or
 * invalid.
 */
function parseRetryAfter(header: string | null, now_ms: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const at_ms = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at_ms) ? undefined : Math.max(0, Math.ceil((at_ms - now_ms) / 1000));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
