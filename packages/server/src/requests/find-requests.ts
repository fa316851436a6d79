/** Finds API requests by the id that an answer carries (H-21). */
import { merchantNo } from '../base/ids.ts';
import type { Queryable } from '../base/pg/index.ts';
import { rfc3339 } from '../base/time/clock.ts';
import { selectRequestsById } from './request.sql.ts';

/** A request that a search has found. */
export interface FoundRequest {
  kind: 'request';
  id: string;
  title: string;
  about: string;
  at: string;
  merchant_no: string;
}

/** Shorter texts are words and parts of numbers: only whole ids are looked for. */
const isRequestId = (text: string): boolean => /^[A-Za-z0-9-]{8,64}$/.test(text);

/**
 * Requests with a whole id (D-334): the newest of one merchant, or of each merchant that has one.
 *
 * @param merchant_id null for all merchants
 */
export async function findRequests(
  db: Queryable,
  merchant_id: string | null,
  text: string,
  most: number,
): Promise<FoundRequest[]> {
  const requests = isRequestId(text) ? await selectRequestsById(db, merchant_id, text, most) : [];
  return requests.map((request) => ({
    kind: 'request',
    id: text,
    title: `${request.method} ${request.path}`,
    about: `${outcomeOf(request)} · ${request.client_id}`,
    at: rfc3339(request.at),
    merchant_no: merchantNo(request.merchant_id),
  }));
}

const outcomeOf = ({
  status,
  error,
  field,
}: {
  status: number;
  error: string | null;
  field: string | null;
}) => [status, error, field].filter((part) => part !== null).join(' ');
