import { invalid } from '../errors.ts';

/** A page of a list; without `next_cursor` it is the last. */
export interface Page<T> {
  items: T[];
  next_cursor?: string;
}

export interface PageRequest {
  limit: number;
  /** The key of the last item of the page before; null for the first page. */
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
  if (value < 1 || value > maxLimit) throw invalid('limit', `limit is a whole number from 1 to ${maxLimit}.`);
  return value;
}

/**
 * The key behind a cursor that a list has answered, or null where none was sent.
 *
 * @throws AppError `invalid_request`
 */
export function readCursor(cursor: unknown, isKey: (text: string) => boolean): string | null {
  if (cursor === undefined) return null;
  const key = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  // Whatever does not come back as it was is none of ours.
  if (key === '' || key.includes('\0') || cursorOf(key) !== cursor || !isKey(key)) {
    throw invalid('cursor', 'The cursor is not one that a list has answered.');
  }
  return key;
}

/** A key as a cursor. */
export const cursorOf = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

/**
 * A page of what was loaded: ask for one item more than `limit`, so that the last page is known.
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

/** A page of a list that is always small enough to load whole: currencies, rates, channels. */
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
