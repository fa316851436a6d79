/** The simulator’s clock: real time plus an offset that the control API increases. It never goes back. */
export type SimClock = {
  /** Simulated time in Unix seconds, used for everything except webhook signatures. */
  seconds: () => number;
  /**
   * Real time in Unix seconds. Webhook signatures use it, because receivers compare them with their own
   * clock.
   */
  realSeconds: () => number;
  offsetSeconds: () => number;
  advance: (seconds: number) => void;
};

/**
 * @param now returns the real time in milliseconds since the epoch
 * @param offset_seconds the initial offset, for a simulator that continues from a saved state
 */
export function createClock(now: () => number, offset_seconds = 0): SimClock {
  let offset = offset_seconds;
  const realSeconds = () => Math.floor(now() / 1000);
  return {
    seconds: () => realSeconds() + offset,
    realSeconds,
    offsetSeconds: () => offset,
    advance: (seconds) => {
      offset += seconds;
    },
  };
}
