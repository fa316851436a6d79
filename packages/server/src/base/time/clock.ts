/** Where the time comes from. Everything that decides by time takes one of these (D-024). */
export interface Clock {
  /** The present instant, with the test clock's offset where that is enabled (D-114). */
  now(): Date;
  /** Real time, for what proves freshness or guards resources: tokens, signatures, leases, limits. */
  real(): Date;
}

/** The system clock with a movable offset: the test clock moves it, in production it stays at zero. */
export class OffsetClock implements Clock {
  #offset_ms = 0;

  now(): Date {
    return new Date(Date.now() + this.#offset_ms);
  }

  real(): Date {
    return new Date();
  }

  get offset_ms(): number {
    return this.#offset_ms;
  }

  /** Sets the distance from real time; the test clock of all processes shares one (D-114). */
  setOffset(offset_ms: number): void {
    this.#offset_ms = offset_ms;
  }
}

export const seconds = (n: number): number => n * 1_000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;

/** `at` moved by `ms` milliseconds. */
export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** RFC 3339 in UTC with milliseconds (D-051). */
export const rfc3339 = (at: Date): string => at.toISOString();
