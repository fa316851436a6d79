/** Pages of lists: reads `limit` and `cursor`, and cuts what was loaded into a page. */
import { invalid } from '../errors.ts';

/** A page of a list. The last page has no `next_cursor`. */
export interface Page<T> {
  items: T[];
  next_cursor?: string;
}

export interface PageRequest {
  limit: number;
  /** The key of the last item of the previous page; null for the first page. */
  after: string | null;
}

const defaultLimit = 20;
const maxLimit = 100;

/**
 * Reads `limit` (1 to 100, default 20) and `cursor`.
 *
 * @param isKey whether a text can be a key of this list
 * @throws AppError `invalid_request`
 */
export function readPageRequest(
  query: Readonly<Record<string, unknown>>,
  isKey: (text: string) => boolean = () => true,
): PageRequest {
  const { limit, cursor } = query;
  return { limit: readLimit(limit), after: readCursor(cursor, isKey) };
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return defaultLimit;
  const value = typeof limit === 'string' && /^[0-9]{1,3}$/.test(limit) ? Number(limit) : 0;
  if (value < 1 || value > maxLimit)
    throw invalid('limit', `limit must be a whole number from 1 to ${maxLimit}.`);
  return value;
}

/**
 * The key that a cursor encodes, or null if no cursor was sent.
 *
 * @throws AppError `invalid_request`
 */
export function readCursor(cursor: unknown, isKey: (text: string) => boolean): string | null {
  if (cursor === undefined) return null;
  const key = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  // A cursor that is not equal to the encoding of its key does not come from us.
  if (key === '' || key.includes('\0') || cursorOf(key) !== cursor || !isKey(key)) {
    throw invalid('cursor', 'The cursor is not valid: use the `next_cursor` of the previous page.');
  }
  return key;
}

/** The cursor of a key. */
export const cursorOf = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

/**
 * A page of loaded items. Load one item more than `limit`: the extra item shows that there is a next page.
 *
 * @param loaded at most `limit + 1` items
 */
export function pageOf<T, U>(
  loaded: readonly T[],
  limit: number,
  keyOf: (item: T) => string,
  show: (item: T) => U,
): Page<U> {
  const shown = loaded.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    ...(loaded.length > limit && last !== undefined ? { next_cursor: cursorOf(keyOf(last)) } : {}),
  };
}

/** A page of a list that is small enough to load completely: currencies, rates, channels. */
export function pageOfAll<T, U>(
  all: readonly T[],
  { limit, after }: PageRequest,
  keyOf: (item: T) => string,
  show: (item: T) => U,
): Page<U> {
  const sorted = [...all].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rest = after === null ? sorted : sorted.filter((item) => keyOf(item) > after);
  return pageOf(rest, limit, keyOf, show);
}
