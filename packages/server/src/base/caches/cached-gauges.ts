/** Figures that are read from the database for Prometheus, at most once in a while. */
import { Gauge } from 'prom-client';

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

/** Makes gauges of figures that `ask` reads. A gauge is missing where its figure is null or cannot be read. */
export const gaugesOf =
  <T>(ask: () => Promise<T | null>) =>
  (name: string, help: string, figure: (now: T) => number | null): Gauge =>
    new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const now = await ask();
        const value = now === null ? null : figure(now);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
