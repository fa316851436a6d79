/** Values that travel with asynchronous work, at no cost for work outside of them. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface AsyncContext<T> {
  /** The value of the work that is being done; undefined outside of any. */
  now(): T | undefined;
  /** Runs `work`, and all that it starts and waits for, with a value. */
  run<R>(value: T, work: () => R): R;
}

/**
 * Creates a context on a storage.
 *
 * Invariant: the storage is on only while work runs in the context. Up to version 22, Node.js makes every promise of a process
 * slower once a storage is on: creating and reading orders took a quarter more time. So work must wait for what it starts.
 */
export function asyncContext<T>(storage = new AsyncLocalStorage<T>()): AsyncContext<T> {
  let running = 0;
  const end = (): void => {
    if (--running === 0) storage.disable();
  };
  return {
    now: () => storage.getStore(),
    run(value, work) {
      running++;
      let waits = false;
      try {
        const result = storage.run(value, work);
        if (!(result instanceof Promise)) return result;
        waits = true;
        // Its own error is the caller's.
        result.then(end, end);
        return result;
      } finally {
        if (!waits) end();
      }
    },
  };
}
