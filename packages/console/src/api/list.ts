import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';

/** A page of a list, as every list of the service answers. */
export interface ListPage<T> {
  items: T[];
  next_cursor?: string;
}

export interface PageAsked {
  limit: number;
  cursor?: string;
}

type Load<T> = (page: PageAsked, signal: AbortSignal) => Promise<ListPage<T>>;

/** A list that goes on as far as anyone looks. */
export interface List<T> {
  query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  rows: readonly T[];
}

const none: readonly never[] = [];

/**
 * A list by its pages.
 *
 * @param key what the list is, and what it is narrowed to
 * @param load one page
 * @param options `while_empty_ms`: asks again so often until something is found, for what appears of itself
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
    // Apart from what is read of the same address at once: the two are kept in different shapes.
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
