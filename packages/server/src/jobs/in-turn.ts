import { together } from '../base/errors.ts';
import type { Pass } from './loop.ts';

/** A pass of which a part has failed goes on with the others for this time: its loop then pauses. */
const goesOn_ms = 5_000;

/**
 * A pass of several parts, one after another. A part that fails keeps none of the others from running (D-1180), nor from what
 * they still have to do (D-1112): the pass fails when they have found nothing more, or after five seconds. It throws what
 * these failures are together.
 */
export function inTurn(...parts: readonly Pass[]): Pass {
  return async () => {
    const began_ms = performance.now();
    const failed = new Map<Pass, unknown>();
    let done = 0;
    for (let found = 1; found > 0;) {
      found = 0;
      for (const part of parts) {
        if (failed.has(part)) continue;
        try {
          found += await part();
        } catch (error) {
          failed.set(part, error);
        }
      }
      done += found;
      if (failed.size === 0) return done;
      if (performance.now() - began_ms > goesOn_ms) break;
    }
    throw together([...failed.values()], 'several parts of a pass failed');
  };
}
