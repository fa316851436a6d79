/**
 * Lets a few pieces of work go on at a time; whoever comes then waits for their turn, in the order in which they came.
 * Work that takes longer than `patience_ms` goes on, but is not counted any more: what hangs holds up nobody for long.
 *
 * @param most how many are counted at a time
 */
export function fewAtOnce(most: number, patience_ms: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let counted = 0;
  const next = (): void => {
    const begin = waiting.shift();
    if (begin === undefined) counted -= 1;
    else begin();
  };

  return async (work) => {
    if (counted < most) counted += 1;
    else
      await new Promise<void>((begin) => {
        waiting.push(begin);
      });
    let isCounted = true;
    const done = (): void => {
      if (isCounted) next();
      isCounted = false;
    };
    const patience = setTimeout(done, patience_ms);
    try {
      return await work();
    } finally {
      clearTimeout(patience);
      done();
    }
  };
}
