import { DatabaseTime } from './database-time.ts';

/** The source of the time. Every decision that depends on time takes a clock (D-024). */
export interface Clock {
  /** The current time, plus the test clock's offset if the test clock is enabled (D-114). */
  now(): Date;
  /** Real time, which is the database's, for security and resources: tokens, signatures, leases, limits. */
  real(): Date;
}

/**
 * The database's time plus an offset (docs/operating/clocks.md). Only the test clock changes the offset; in production it
 * is zero. Where the database's time is not measured, it is the local clock.
 */
export class OffsetClock implements Clock {
  readonly #time: Pick<DatabaseTime, 'now_ms'>;
  #offset_ms = 0;

  constructor(time: Pick<DatabaseTime, 'now_ms'> = new DatabaseTime()) {
    this.#time = time;
  }

  now(): Date {
    return new Date(this.#time.now_ms() + this.#offset_ms);
  }

  real(): Date {
    return new Date(this.#time.now_ms());
  }

  get offset_ms(): number {
    return this.#offset_ms;
  }

  /** Sets the offset from real time. All processes share one offset (D-114). */
  setOffset(offset_ms: number): void {
    this.#offset_ms = offset_ms;
  }
}

export const seconds = (n: number): number => n * 1_000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;

/** The instant `ms` milliseconds after `at`. */
export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** RFC 3339 in UTC with milliseconds (R-006, H-27, D-051). */
export const rfc3339 = (at: Date): string => at.toISOString();

/** The same; null where there is no instant. */
export const rfc3339OrNull = (at: Date | null): string | null => (at === null ? null : rfc3339(at));
