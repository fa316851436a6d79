import createClient from 'openapi-fetch';
import { ApiError, apiErrorOf } from './api-error.ts';
import { exactJson } from './exact-json.ts';
import { pageSettings } from './page-settings.ts';
import type { paths } from './schema.d.ts';

/**
 * The service, typed by its own document. Same origin only: the browser adds the session's cookie, and the headers by
 * which the service sees that a page of its own is asking.
 */
export const api = createClient<paths>({
  baseUrl: pageSettings.base_path,
  credentials: 'same-origin',
  redirect: 'error',
  headers: { accept: 'application/json' },
});

api.use({
  /** Numbers that a browser's own reader would round become texts. */
  async onResponse({ response }) {
    if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
    const { status, statusText, headers } = response;
    return new Response(exactJson(await response.text()), { status, statusText, headers });
  },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The answer of a call, or what it failed with:
 *
 *     const order = await answerOf(api.GET('/console/v1/merchants/{merchant_no}/collection-orders/{order_no}', …));
 *
 * @throws ApiError
 */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    if (reason instanceof ApiError) throw reason;
    if (reason instanceof DOMException && reason.name === 'AbortError') throw reason;
    throw new ApiError({ status: 0, code: 'network', message: 'The service did not answer. Try again.' });
  });
  if (!response.ok || data === undefined) throw apiErrorOf(response, error);
  return data;
}

export type { components, paths } from './schema.d.ts';
