/** Calls whose address is put together from parts, for interfaces with many similar lists. */
import { activityHeaders } from './activity.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import { exactJson } from './exact-json.ts';
import { pageSettings } from './page-settings.ts';
import { withPresence } from './presence.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface CallOptions {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * A call whose address is put together here rather than taken from the typed client.
 *
 * @throws ApiError
 */
export async function callOf<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const { query = {}, body, signal = null } = options;
  let response: Response;
  let text: string;
  try {
    const init: RequestInit = {
      method,
      signal,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...activityHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    response = await withPresence(() => fetch(addressOf(path, query), init));
    text = await response.text();
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === 'AbortError') throw reason;
    throw new ApiError({ status: 0, code: 'network', message: t('the_service_does_not_answer_check') });
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const answer: unknown = isJson && text !== '' ? JSON.parse(exactJson(text)) : undefined;
  if (!response.ok) throw apiErrorOf(response, answer);
  return answer as T;
}

/** The address of a path of the service, with the query's parameters. */
export function addressOf(path: string, query: Query = {}): string {
  const sent = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = sent.length === 0 ? '' : `?${new URLSearchParams(sent).toString()}`;
  return `${pageSettings.base_path}${path}${search}`;
}

/** Encodes a value as one part of a path. */
export const part = (text: string): string => encodeURIComponent(text);
