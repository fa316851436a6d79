/** The checkout's JSON calls from the browser. They never throw: an answer that is missing or unclear is an outcome.
 * Each sends the token in a header (D-117). */
import type { CheckoutState } from '../model/state.ts';
import { apiPath, type LinkContext, webAddress } from '../view/links.ts';

/** The outcome of a start or a resume. Only `refused` is certain to have changed nothing. */
export type StartOutcome =
  | { kind: 'redirect'; url: string }
  | { kind: 'paid' }
  | { kind: 'refused'; code: string; retry_after_s?: number }
  /** No answer, or one without meaning: the payment may or may not have been started. */
  | { kind: 'unclear' };

/** The outcome of reading the state. */
export type ReadOutcome =
  | { kind: 'state'; state: CheckoutState }
  | { kind: 'later'; retry_after_s: number | null };

/** Longer than the server waits for a provider, so that the server answers first. */
const patience_ms = 30_000;

/** Interprets the answer to a start. A 202 is never a success. Pure. */
export function startOutcome(status: number, body: unknown, retryAfter: string | null): StartOutcome {
  if (!isRecord(body)) return { kind: 'unclear' };
  if (status === 200) {
    const url = typeof body.redirect_url === 'string' ? webAddress(body.redirect_url) : null;
    if (url !== null) return { kind: 'redirect', url };
    return body.status === 'paid' ? { kind: 'paid' } : { kind: 'unclear' };
  }
  if (typeof body.error !== 'string' || status === 500) return { kind: 'unclear' };
  const retry_after_s = secondsOf(retryAfter);
  const refused: StartOutcome = { kind: 'refused', code: body.error };
  return retry_after_s === null ? refused : { ...refused, retry_after_s };
}

/** Starts or resumes the payment by a method. Never throws. */
export async function startPayment(context: LinkContext, method_id: string): Promise<StartOutcome> {
  try {
    const answer = await call(context, '/payments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method_id }),
    });
    return startOutcome(answer.status, await answer.json(), answer.headers.get('retry-after'));
  } catch {
    return { kind: 'unclear' };
  }
}

/** Reads the state once. Never throws. */
export async function readState(context: LinkContext): Promise<ReadOutcome> {
  try {
    const answer = await call(context, '', {});
    const body: unknown = await answer.json();
    if (answer.status === 200 && isState(body)) return { kind: 'state', state: body };
    return { kind: 'later', retry_after_s: secondsOf(answer.headers.get('retry-after')) };
  } catch {
    return { kind: 'later', retry_after_s: null };
  }
}

/** Closes the provider's payment page, so that another method can be chosen. Never throws. */
export async function closePayment(context: LinkContext): Promise<StartOutcome | ReadOutcome> {
  try {
    const answer = await call(context, '/payments/close', {
      method: 'POST',
    });
    const body: unknown = await answer.json();
    if (answer.status === 200 && isState(body)) return { kind: 'state', state: body };
    // The provider has not confirmed it.
    if (answer.status === 202) return { kind: 'refused', code: 'not_closed' };
    return startOutcome(answer.status, body, answer.headers.get('retry-after'));
  } catch {
    return { kind: 'unclear' };
  }
}

async function call(
  context: LinkContext,
  path: '' | '/payments' | '/payments/close',
  init: RequestInit,
): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => {
    abort.abort();
  }, patience_ms);
  try {
    return await fetch(apiPath(context, path), {
      ...init,
      headers: {
        ...(init.headers as Record<string, string> | undefined),
        'x-checkout-token': context.token,
        // The page's: the browser's own may be another.
        'accept-language': context.locale ?? 'en',
      },
      cache: 'no-store',
      // A frame knows no session, even where the browser would send its cookie (D-268).
      credentials: context.embed_origins === undefined ? 'same-origin' : 'omit',
      signal: abort.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether an answer is a state. It comes from our own server, so its other members are not checked. */
export function isState(value: unknown): value is CheckoutState {
  return isRecord(value) && typeof value.order_no === 'string' && typeof value.status === 'string';
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
