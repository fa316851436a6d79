export type Json = Record<string, unknown>;

export interface Asked {
  body?: unknown;
  /** Sent as a form instead of JSON. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface Answer<T = Json> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** Longer than the service makes anyone wait: a payment start waits 10 s for the provider at most. */
const longest_s = 60;

/** One request. Null where no answer came: it may have been carried out, or not. */
export async function ask<T = Json>(
  url: string,
  method: string,
  { body, form, headers = {} }: Asked = {},
): Promise<Answer<T> | null> {
  const limit = timeLimit();
  try {
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(form !== undefined ? { body: new URLSearchParams(form) } : {}),
      ...(body !== undefined ? { body: JSON.stringify(body) } : {}),
      signal: limit.signal,
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as T;
    return { status: answer.status, headers: answer.headers, text, body: parsed };
  } catch {
    return null;
  } finally {
    limit.lift();
  }
}

/** Counted in seconds that this process was running: a machine that stood still meanwhile has lost no answer. */
function timeLimit(): { signal: AbortSignal; lift: () => void } {
  const controller = new AbortController();
  let left_s = longest_s;
  const timer = setInterval(() => {
    if (--left_s === 0) controller.abort();
  }, 1_000);
  return {
    signal: controller.signal,
    lift: () => {
      clearInterval(timer);
    },
  };
}
