/** Parts that a first visit loads only after its figures: charts, menus, notices, and parts that unfold (D-335, D-388). */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

const pause_ms = 50;

let isShown = false;
let isWatched = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Waits until the browser has nothing to draw and waits for no data. */
function watch(queries: QueryClient): void {
  const look = (): void => {
    if (queries.isFetching() > 0) {
      setTimeout(rest, pause_ms);
      return;
    }
    isShown = true;
    for (const listener of listeners) listener();
  };
  // Safari has no idle time.
  const rest = (): unknown =>
    'requestIdleCallback' in window ? requestIdleCallback(look) : setTimeout(look, pause_ms);
  rest();
}

/** For every screen: the first one has something to draw now. */
export function useScreen(): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isWatched) return;
    isWatched = true;
    watch(queries);
  }, [queries]);
}

/** Whether the figures of the first screen are there. */
export const useLater = (): boolean => useSyncExternalStore(subscribe, () => isShown);

/**
 * A part of the page that is loaded when it is wanted; null until it is there, also where it cannot be loaded.
 *
 * @param load the same function each time
 */
export function useLoaded<T>(load: () => Promise<T>, wanted: boolean): T | null {
  const [part, setPart] = useState<T | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let isGone = false;
    load()
      .then((loaded) => {
        // A heavy part is drawn in slices, between which the page answers.
        if (!isGone) startTransition(() => setPart(() => loaded));
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [load, wanted]);
  return part;
}
