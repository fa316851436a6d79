/** Measures the database's time again and again, so that the process's clock follows it (D-200; docs/operating/clocks.md). */
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../log.ts';
import type { Database } from '../pg/index.ts';
import { DatabaseTime, type TimeSample } from '../time/database-time.ts';
import { OffsetClock } from '../time/clock.ts';
import { takeFirst } from './measured-clock.ts';

export interface Timekeeper {
  clock: OffsetClock;
  /** The database's time minus the local clock, in milliseconds: positive where the local clock is behind. */
  offset_ms(): number;
  /**
   * Measures for the first time, and again and again from then on.
   *
   * @throws the driver's error if the database does not answer
   */
  start(db: Pick<Database, 'askTime'>): Promise<void>;
  /** Measures now, because the process has connected: the server may be another one, with another clock. */
  measureSoon: () => void;
  /** Adds the figures to what `/metrics` shows. */
  register(registry: Registry): void;
  /** Stops measuring. The clock continues with the last measurement. */
  stop(): void;
}

/** From a measurement to the next, in real time. One that fails for a while does not delay the next beyond ten seconds. */
const usualPause_ms = 5_000;
/** After a measurement that failed, and at least between two. */
const shortestPause_ms = 1_000;
/** A larger correction is logged. */
const told_ms = 1_000;

/**
 * Keeps the clock of a process at the database's time. Invariant: if the database does not answer, what was measured
 * last stays.
 */
export function createTimekeeper(log: Logger): Timekeeper {
  const time = new DatabaseTime();
  let db: Pick<Database, 'askTime'> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let begun_ms = -Infinity;
  /** Measurements are counted as they begin, because one that hangs must not delay the next. */
  let begun = 0;
  let newest = 0;
  /** Whether a new connection needs a measurement that has not begun. */
  let wanted = false;
  const isWanted = (): boolean => wanted;

  async function measure(from: Pick<Database, 'askTime'>): Promise<void> {
    const number = ++begun;
    begun_ms = performance.now();
    wanted = false;
    let next_ms = shortestPause_ms;
    try {
      const sample = await from.askTime();
      // An older answer may come from a server that is no longer the current one.
      if (number > newest) correct(sample);
      newest = Math.max(newest, number);
      next_ms = usualPause_ms;
    } catch {
      // The pool tells of lost connections; the next measurement comes soon.
    }
    // A call, because the compiler does not know that `wanted` can change at an `await`.
    if (number === begun && !isWanted()) measureIn(next_ms);
  }

  function correct(sample: TimeSample): void {
    const wrong_ms = time.take(sample);
    if (Math.abs(wrong_ms) <= told_ms) return;
    log.warn({ corrected_seconds: wrong_ms / 1_000 }, 'the time of the database has changed');
  }

  function measureIn(ms: number): void {
    clearTimeout(timer);
    const from = db;
    if (from === null) return;
    timer = setTimeout(() => void measure(from), ms);
    timer.unref();
  }

  return {
    clock: new OffsetClock(time),
    offset_ms: () => time.offset_ms(),
    async start(from) {
      await takeFirst(from, time);
      db = from;
      measureIn(usualPause_ms);
    },
    measureSoon: () => {
      wanted = db !== null;
      measureIn(Math.max(0, begun_ms + shortestPause_ms - performance.now()));
    },
    register(registry) {
      new Gauge({
        name: 'paydesk_clock_offset_seconds',
        help: 'The time of the database minus the local clock.',
        registers: [registry],
        collect() {
          this.set(time.offset_ms() / 1_000);
        },
      });
    },
    stop() {
      db = null;
      clearTimeout(timer);
    },
  };
}
