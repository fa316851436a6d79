/** Tells the log of a process that stood still, as one that was stopped or on an overloaded machine. */
import type { Logger } from '../log.ts';
import { seconds } from '../time/clock.ts';

/** Two looks that are further apart mean that this process did not run (D-893). */
const still_ms = seconds(10);

export interface StandstillWatch {
  /** Looks are expected from now on. */
  begin(): void;
  /** Compares now with the last look, by the monotonic clock. Call it every second. */
  look(): void;
}

export function watchForStandstill(log: Logger): StandstillWatch {
  let looked_ms = performance.now();
  return {
    begin() {
      looked_ms = performance.now();
    },
    look() {
      const now_ms = performance.now();
      if (now_ms - looked_ms > still_ms) {
        log.warn(
          { still_seconds: Math.round((now_ms - looked_ms) / 1_000) },
          'this process stood still, so others may have taken over its work: was it stopped, or is the machine overloaded?',
        );
      }
      looked_ms = now_ms;
    },
  };
}
