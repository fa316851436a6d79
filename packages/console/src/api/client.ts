import createClient from 'openapi-fetch';
import { activityHeaders } from './activity.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import { exactJson } from './exact-json.ts';
import { pageSettings } from './page-settings.ts';
import { withPresence } from './presence.ts';
import type { paths } from './schema.d.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/**
 * The typed client of the service. It calls its own origin only: the browser adds the session's cookie and the
 * headers that prove a page of the service asks (D-121).
 */
export const api = createClient<paths>({
  baseUrl: pageSettings.base_path,
  credentials: 'same-origin',
  redirect: 'error',
  // A request's body can be read once: each attempt gets a copy.
  fetch: (request) => withPresence(() => fetch(request.clone())),
  headers: { accept: 'application/json' },
});

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(activityHeaders())) request.headers.set(name, value);
  },
  /** Turn numbers that a browser would round into texts. */
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
 * The answer of a call:
 *
 *     const order = await answerOf(api.GET('/console/v1/merchants/{merchant_no}/collection-orders/{order_no}', …));
 *
 * @throws ApiError if the call failed
 */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    if (reason instanceof ApiError) throw reason;
    if (reason instanceof DOMException && reason.name === 'AbortError') throw reason;
    throw new ApiError({ status: 0, code: 'network', message: t('the_service_does_not_answer_check') });
  });
  if (!response.ok || data === undefined) throw apiErrorOf(response, error);
  return data;
}

export type { components, paths } from './schema.d.ts';
