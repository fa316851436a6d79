/**
 * The database's time, as one process knows it between two questions to the database.
 *
 * It runs on the monotonic clock of the machine. A jump of the local wall clock does not move it.
 */

/** One question to the database for its time. `sent` and `received` are milliseconds of the monotonic clock. */
export interface TimeSample {
  sent_ms: number;
  received_ms: number;
  /** The time that the database read between them. */
  database: Date;
}

/** The two clocks of this machine, in milliseconds: the wall clock, and one that only runs forward. */
export interface LocalClocks {
  wall: () => number;
  monotonic: () => number;
}

const systemClocks: LocalClocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/** A correction backwards up to this is spread, so that time never goes back; a larger one is made at once. */
const mostSpread_ms = 1_000;
/** While a correction is spread, the time runs at this part of its usual speed. */
const slowSpeed = 0.5;
/** The database's answer names whole milliseconds. */
const rounding_ms = 1;

/**
 * Follows the database's time from samples. Until the first sample it is the local wall clock.
 *
 * A sample does not give an instant but an interval, which is as long as its round trip: the database read its clock
 * somewhere between `sent` and `received`. The first sample sets the middle of its interval. A later one corrects the
 * time only if the time is outside the interval, and then up to the edge, so that a slow answer does no harm.
 *
 * Invariant: the time goes backwards only if it was wrong by more than `mostSpread_ms`. All processes of a database
 * agree on leases then, which matters more than that one of them never sees an earlier time.
 */
export class DatabaseTime {
  readonly #local: LocalClocks;
  /** The database's time when the monotonic clock was 0; null before the first sample. */
  #base_ms: number | null = null;
  /** How far the time was ahead at `at_ms`, and is being slowed down for. */
  #ahead = { ms: 0, at_ms: 0 };

  constructor(local: LocalClocks = systemClocks) {
    this.#local = local;
  }

  /** The database's time, in milliseconds since 1970. */
  now_ms(): number {
    if (this.#base_ms === null) return this.#local.wall();
    const at = this.#local.monotonic();
    const slowed_ms = Math.max(0, at - this.#ahead.at_ms) * (1 - slowSpeed);
    return this.#base_ms + at + Math.max(0, this.#ahead.ms - slowed_ms);
  }

  /** The database's time minus the local wall clock, in milliseconds: positive where the local clock is behind. */
  offset_ms(): number {
    return this.now_ms() - this.#local.wall();
  }

  /**
   * Takes a sample.
   *
   * @returns by how many milliseconds the time was wrong; 0 where the sample agrees with it
   */
  take({ sent_ms, received_ms, database }: TimeSample): number {
    const earliest = database.getTime() - received_ms;
    const latest = database.getTime() + rounding_ms - sent_ms;
    if (this.#base_ms === null) {
      this.#base_ms = (earliest + latest) / 2;
      return 0;
    }
    const at_ms = this.#local.monotonic();
    const known = this.now_ms() - at_ms;
    const right = Math.min(Math.max(known, earliest), latest);
    const wrong_ms = right - known;
    if (wrong_ms === 0) return 0;
    this.#base_ms = right;
    this.#ahead = { ms: wrong_ms < 0 && wrong_ms >= -mostSpread_ms ? -wrong_ms : 0, at_ms };
    return wrong_ms;
  }
}
