/** Lists of the service, page by page. */
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';

/** A page of a list; every list of the service answers in this shape. */
export interface ListPage<T> {
  items: T[];
  next_cursor?: string;
}

export interface PageAsked {
  limit: number;
  cursor?: string;
}

type Load<T> = (page: PageAsked, signal: AbortSignal) => Promise<ListPage<T>>;

/** A list that loads further pages on request. */
export interface List<T> {
  query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  rows: readonly T[];
}

const none: readonly never[] = [];

/**
 * Reads a list page by page.
 *
 * @param key names the list and its filters
 * @param load reads one page
 * @param options `while_empty_ms`: reads an empty list again after this time, for entries that appear by themselves
 */
export function useList<T>(
  key: readonly unknown[],
  load: Load<T>,
  {
    while_empty_ms,
    ...options
  }: { refetchInterval?: number; while_empty_ms?: number | undefined; enabled?: boolean } = {},
): List<T> {
  const query = useInfiniteQuery({
    // A key of its own: the pages have another shape than a single read of the same address.
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => load({ limit: 50, ...cursorOf(pageParam) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...options,
    ...(while_empty_ms === undefined
      ? {}
      : {
          refetchInterval: ({ state }: { state: { data?: InfiniteData<ListPage<T>> | undefined } }) =>
            state.data?.pages.some(({ items }) => items.length > 0) === true ? false : while_empty_ms,
        }),
  });
  const rows = query.data === undefined ? none : query.data.pages.flatMap(({ items }) => items);
  return { query, rows };
}

const cursorOf = (cursor: string): { cursor?: string } => (cursor === '' ? {} : { cursor });
