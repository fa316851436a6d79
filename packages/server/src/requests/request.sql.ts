/** Reads and writes recent requests (table `api_requests`). */
import { type Queryable, type Row, sql, type Sql } from '../base/pg/index.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  request_id: string;
  /** The authenticated OAuth client; null without one. */
  client_id: string | null;
  method: string;
  /** The route as it was registered: `/openapi/v1/merchant-payments/:order_no`. */
  route: string;
  /** Without the query, which may hold secrets. */
  path: string;
  status: number;
  /** The error code of the answer; null on success. */
  error: string | null;
  /** The member of the request that was at fault; null if the error names none. */
  field: string | null;
  duration_ms: number;
}

/** A request of a merchant's client, as it is stored. */
export interface ApiRequest extends AnsweredRequest, Row {
  /** A ULID: it sorts by the time of the answer. */
  seen_id: string;
  at: Date;
  client_id: string;
}

export type StoredRequest = ApiRequest & { merchant_id: string };

/** Inserts requests of any merchants with one statement, whose text does not depend on their number. */
export async function insertRequests(db: Queryable, requests: readonly StoredRequest[]): Promise<void> {
  const column = <K extends keyof StoredRequest>(name: K) => requests.map((request) => request[name]);
  await db.query(sql`
    INSERT INTO api_requests (merchant_id, seen_id, request_id, at, client_id, method, route, path, status, error,
      field, duration_ms)
    SELECT merchant_id, seen_id, request_id, at, client_id, method, route, path, status, error, field,
      duration_ms
    FROM unnest(${column('merchant_id')}::uuid[], ${column('seen_id')}::text[], ${column('request_id')}::text[],
      ${column('at')}::timestamptz[], ${column('client_id')}::text[], ${column('method')}::text[],
      ${column('route')}::text[], ${column('path')}::text[], ${column('status')}::smallint[],
      ${column('error')}::text[], ${column('field')}::text[], ${column('duration_ms')}::integer[])
      AS r (merchant_id, seen_id, request_id, at, client_id, method, route, path, status, error, field,
        duration_ms)`);
}

/** A filter on a merchant's requests; null for any value. */
export interface RequestFilter {
  request_id: string | null;
  client_id: string | null;
  /** The first digit of the status. */
  status_class: number | null;
}

/** One page of a merchant's requests before `before`, newest first. */
export function selectRequests(
  db: Queryable,
  merchant_id: string,
  { request_id, client_id, status_class }: RequestFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<ApiRequest[]> {
  return db.query<ApiRequest>(sql`
    SELECT seen_id, request_id, at, client_id, method, route, path, status, error, field, duration_ms
    FROM api_requests
    WHERE merchant_id = ${merchant_id}
      ${before === null ? sql`` : sql`AND seen_id < ${before}`}
      ${request_id === null ? sql`` : sql`AND request_id = ${request_id}`}
      ${client_id === null ? sql`` : sql`AND client_id = ${client_id}`}
      ${status_class === null ? sql`` : inClass(status_class)}
    ORDER BY seen_id DESC LIMIT ${limit}`);
}

/** The newest request with an id: of one merchant, or of each that has it. */
export function selectRequestsById(
  db: Queryable,
  merchant_id: string | null,
  request_id: string,
  limit: number,
): Promise<(ApiRequest & { merchant_id: string })[]> {
  return db.query<ApiRequest & { merchant_id: string }>(sql`
    SELECT m.merchant_id, r.* FROM merchants m CROSS JOIN LATERAL (
      SELECT seen_id, request_id, at, client_id, method, route, path, status, error, field, duration_ms
      FROM api_requests WHERE merchant_id = m.merchant_id AND request_id = ${request_id}
      ORDER BY seen_id DESC LIMIT 1) r
    ${merchant_id === null ? sql`` : sql`WHERE m.merchant_id = ${merchant_id}`}
    LIMIT ${limit}`);
}

const inClass = (first: number): Sql => sql`AND status BETWEEN ${first * 100} AND ${first * 100 + 99}`;

/** The next merchants after `after`, by id. */
export async function selectMerchantIds(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT merchant_id FROM merchants WHERE merchant_id > ${after} ORDER BY merchant_id LIMIT ${limit}`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/**
 * Those of some merchants that have requests to delete: older than `before`, or, where there are more than `most`, older than their
 * newest `kept`. Each with the latest of them.
 */
export function selectSurplus(
  db: Queryable,
  { before, most, kept }: { before: string; most: number; kept: number },
  merchant_ids: readonly string[],
): Promise<{ merchant_id: string; latest: string }[]> {
  return db.query<{ merchant_id: string; latest: string }>(sql`
    SELECT m.merchant_id, surplus.latest FROM merchants m CROSS JOIN LATERAL (
      SELECT max(either.seen_id) AS latest FROM (
        (SELECT r.seen_id FROM api_requests r WHERE r.merchant_id = m.merchant_id AND r.seen_id < ${before}
          ORDER BY r.seen_id DESC LIMIT 1)
        UNION ALL
        (SELECT r.seen_id FROM api_requests r WHERE r.merchant_id = m.merchant_id AND EXISTS (
            SELECT 1 FROM api_requests e WHERE e.merchant_id = m.merchant_id ORDER BY e.seen_id DESC OFFSET ${most} LIMIT 1)
          ORDER BY r.seen_id DESC OFFSET ${kept} LIMIT 1)
      ) either
    ) surplus
    WHERE m.merchant_id = ANY(${[...merchant_ids]}::uuid[]) AND surplus.latest IS NOT NULL`);
}

/** Deletes a batch of a merchant's requests up to `latest`, oldest first; returns how many. */
export async function deleteRequests(
  db: Queryable,
  merchant_id: string,
  latest: string,
  limit: number,
): Promise<number> {
  const gone = await db.query(sql`
    DELETE FROM api_requests WHERE merchant_id = ${merchant_id} AND seen_id IN (
      SELECT seen_id FROM api_requests WHERE merchant_id = ${merchant_id} AND seen_id <= ${latest}
      ORDER BY seen_id LIMIT ${limit})
    RETURNING 1 AS gone`);
  return gone.length;
}

/** When one of a merchant's clients was first answered with success, by any call or by one route; null if never. */
export async function selectFirstSuccess(
  db: Queryable,
  merchant_id: string,
  route: string | null,
): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>(sql`
    SELECT at FROM api_requests WHERE merchant_id = ${merchant_id} AND status BETWEEN 200 AND 299
      ${route === null ? sql`` : sql`AND route = ${route}`}
    ORDER BY seen_id LIMIT 1`);
  return row?.at ?? null;
}
