import { together } from '../base/errors.ts';
import type { Pass } from './loop.ts';

/** After a part has failed, a pass goes on with the others for this time: its loop then pauses. */
const goesOn_ms = 5_000;

/**
 * A pass of several parts, one after another. A part that fails keeps none of the others from running (D-1180), nor from what
 * they still have to do (D-1112): the pass fails when they have found nothing more, or five seconds after the last failure, which
 * itself may have taken as long as a statement may (D-1228). It throws what these failures are together.
 */
export function inTurn(...parts: readonly Pass[]): Pass {
  return async () => {
    let failed_ms = 0;
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
          failed_ms = performance.now();
        }
      }
      done += found;
      if (failed.size === 0) return done;
      if (performance.now() - failed_ms > goesOn_ms) break;
    }
    throw together([...failed.values()], 'several parts of a pass failed');
  };
}
