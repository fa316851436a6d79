import { type Clock, minutes } from '../../base/time/clock.ts';

/** How long a result is cached. */
const cached_ms = minutes(1);

/**
 * Keeps figures that are costly to read, each for a minute. A failed reading is not kept.
 *
 * @param most maximum number of results in memory
 */
export function createFigureCache<T>(
  clock: Clock,
  most: number,
): (key: string, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { at: number; figures: Promise<T> }>();
  return (key, read) => {
    const at = clock.now().getTime();
    const last = known.get(key);
    if (last !== undefined && at - last.at < cached_ms) return last.figures;
    const figures = read().catch((error: unknown) => {
      known.delete(key);
      throw error;
    });
    if (known.size >= most) known.clear();
    known.set(key, { at, figures });
    return figures;
  };
}
