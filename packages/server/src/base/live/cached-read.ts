/** Figures that are read from the database for Prometheus, at most once in a while. */

/** Calls `read` at most once in `cache_ms`. Null where it fails, so that all other figures are still shown. */
export function cachedRead<T>(cache_ms: number, read: () => Promise<T>): () => Promise<T | null> {
  let asked_at = -Infinity;
  let answer: Promise<T | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - asked_at > cache_ms) {
      asked_at = performance.now();
      answer = read().catch(() => null);
    }
    return answer;
  };
}
