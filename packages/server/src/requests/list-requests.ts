/** Lists the recent API requests of a merchant's clients. */
import { rfc3339 } from '../base/time/clock.ts';
import type { Queryable } from '../base/pg/index.ts';
import { invalid } from '../base/errors.ts';
import { pageOf, readPageRequest } from '../base/input/list-page.ts';
import { type ApiRequest, type RequestFilter, selectRequests } from './request.sql.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * One page of a merchant's requests, newest first. Reads `request_id`, `client_id`, `status`
 * (`2xx`, `4xx`, `5xx`; empty or absent: any), `limit` and `cursor`.
 *
 * @throws AppError `invalid_request`
 */
export async function listRequests(db: Queryable, merchant_id: string, query: Query) {
  const { limit, after } = readPageRequest(query, (text) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text));
  const page = { before: after, limit: limit + 1 };
  const requests = await selectRequests(db, merchant_id, filterOf(query), page);
  return pageOf(requests, limit, ({ seen_id }) => seen_id, requestJson);
}

function filterOf(query: Query): RequestFilter {
  return {
    request_id: oneText(query, 'request_id'),
    client_id: oneText(query, 'client_id'),
    status_class: statusClass(oneText(query, 'status')),
  };
}

function oneText(query: Query, name: string): string | null {
  const { [name]: value = '' } = query;
  if (typeof value !== 'string' || value.includes('\0')) throw invalid(name, `${name} must be one text.`);
  return value === '' ? null : value;
}

function statusClass(text: string | null): number | null {
  if (text === null) return null;
  if (!/^[245]xx$/.test(text)) throw invalid('status', 'status must be 2xx, 4xx or 5xx.');
  return Number(text.charAt(0));
}

const requestJson = (request: ApiRequest) => ({ ...request, at: rfc3339(request.at) });
