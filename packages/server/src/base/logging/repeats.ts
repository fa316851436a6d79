/** Decides which log lines of the same kind are written whole, short or not at all. */

/** Which parts of a line are written: all of it, all but its stack, or nothing (it is counted). */
export type Verdict = 'whole' | 'short' | 'counted';

/** How often a kind of line may be written in a window. */
export interface Allowance {
  whole: number;
  short: number;
}

/** A kind of line, and how many lines of it were left out. */
export interface Repeated {
  of: string;
  times: number;
}

interface Kind {
  of: string;
  since_ms: number;
  seen: number;
  /** Left out and not yet reported. */
  untold: number;
}

const window_ms = 60_000;
/** How long no line must have been left out before a report. A long outage is reported once in a window. */
const quiet_ms = 2_000;
/** Kinds beyond this share one: an attacker who varies what he sends must not fill the memory. */
const maxKinds = 200;

/**
 * Counts the lines of each kind. Time is given by the caller, in milliseconds.
 *
 * Invariant: each line that was left out is in exactly one report.
 */
export class RepeatCounter {
  readonly #kinds = new Map<string, Kind>();
  #total = 0;
  #last_ms = 0;
  #first_ms: number | null = null;

  /** The number of lines that were left out since the start. */
  get total(): number {
    return this.#total;
  }

  judge(of: string, { whole, short }: Allowance, now_ms: number): Verdict {
    const kind = this.#kindOf(of, now_ms);
    kind.seen++;
    if (kind.seen <= whole) return 'whole';
    if (kind.seen <= whole + short) return 'short';
    kind.untold++;
    this.#total++;
    this.#last_ms = now_ms;
    this.#first_ms ??= now_ms;
    return 'counted';
  }

  /** When the next report is due, if no further line is left out; null if there is nothing to report. */
  get due_ms(): number | null {
    return this.#first_ms === null ? null : Math.min(this.#last_ms + quiet_ms, this.#first_ms + window_ms);
  }

  /** Takes the counts since the last report, the largest first. */
  takeReport(): Repeated[] {
    this.#first_ms = null;
    const report: Repeated[] = [];
    for (const kind of this.#kinds.values()) {
      if (kind.untold > 0) report.push({ of: kind.of, times: kind.untold });
      kind.untold = 0;
    }
    return report.sort((a, b) => b.times - a.times);
  }

  #kindOf(of: string, now_ms: number): Kind {
    let kind = this.#kinds.get(of);
    if (kind === undefined) {
      if (this.#kinds.size >= maxKinds) this.#forgetOld(now_ms);
      const name = this.#kinds.size >= maxKinds ? 'other lines' : of;
      kind = this.#kinds.get(name) ?? { of: name, since_ms: now_ms, seen: 0, untold: 0 };
      this.#kinds.set(name, kind);
    }
    if (now_ms - kind.since_ms >= window_ms) {
      kind.since_ms = now_ms;
      kind.seen = 0;
    }
    return kind;
  }

  #forgetOld(now_ms: number): void {
    for (const [of, kind] of this.#kinds) {
      if (kind.untold === 0 && now_ms - kind.since_ms >= window_ms) this.#kinds.delete(of);
    }
  }
}
