import type { Pass } from './loop.ts';

/**
 * A pass of several parts, one after another. A part that fails keeps none of the others from running (D-1180): the pass fails
 * when all have run. It throws the one error, or an AggregateError of several.
 */
export function inTurn(...parts: readonly Pass[]): Pass {
  return async () => {
    let done = 0;
    const errors: unknown[] = [];
    for (const part of parts) {
      try {
        done += await part();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'several parts of a pass failed');
    if (errors.length === 1) throw errors[0];
    return done;
  };
}
