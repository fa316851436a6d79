/** The simulator's time: a source of real time plus an offset that the control side moves forward. */
export type SimClock = {
  /** Simulated time in Unix seconds; everything the simulator stamps or compares uses this. */
  seconds: () => number;
  /** Real time in Unix seconds. Webhook signatures prove freshness to the receiver, so they use this one. */
  realSeconds: () => number;
  offsetSeconds: () => number;
  advance: (seconds: number) => void;
};

/**
 * @param now real time in milliseconds since the epoch
 * @param offset_seconds where the offset starts, for a simulator that continues from a saved state
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
