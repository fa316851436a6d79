/**
 * Lets one call run at a time. Calls that come meanwhile share the next one, which begins after they came.
 *
 * Invariant: at most one call runs, and one waits, however many ask (D-1410).
 */
export function oneAtATime<By, T>(work: (by: By) => Promise<T>): (by: By) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = (by: By): Promise<T> => {
    next = null;
    const running = work(by);
    last = running.catch(() => undefined);
    return running;
  };
  return (by) => (next ??= last.then(() => begin(by)));
}
