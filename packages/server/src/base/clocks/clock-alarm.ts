/** Tells of a local clock that is off: in the log, and in the overview of the platform (docs/operating/clocks.md). */
import type { Logger } from '../log.ts';
import type { Database, Queryable } from '../pg/index.ts';
import { type Clock, later, seconds } from '../time/clock.ts';
import { deleteOffClocks, type OffClock, selectOffClocks, upsertOffClock } from './clock-alarm.sql.ts';
import { watchForStandstill } from './standstill.ts';
import type { Timekeeper } from './timekeeper.ts';

export type { OffClock } from './clock-alarm.sql.ts';

/** A local clock that differs by more raises the alarm. */
const mostOff_ms = seconds(2);
/** A local clock that jumps by more between two looks is a reason to measure: the machine may have been suspended. */
const jump_ms = seconds(1);
const look_ms = 1_000;
/** How often a process says that its alarm lasts, and when it counts as ended. */
const renew_ms = seconds(10);
const forgotten_ms = seconds(30);

export interface ClockAlarm {
  start(): void;
  /** Looks at the clock now; the alarm begins or ends. */
  look(): void;
  /** Takes the alarm of this process back, as far as the database allows. */
  stop(): Promise<void>;
}

export interface ClockAlarmDeps {
  db: Queryable;
  timekeeper: Pick<Timekeeper, 'clock' | 'offset_ms' | 'measureSoon'>;
  log: Logger;
  process_id: string;
  /** The name of this process for people: role, machine, number. */
  process: string;
}

/**
 * Watches the local clock of this process. Invariant: while the clock is off, the table has a row of this process that is
 * not older than `renew_ms`, as far as the database answers; soon after, it has none.
 */
export function createClockAlarm({ db, timekeeper, log, process_id, process }: ClockAlarmDeps): ClockAlarm {
  const { clock } = timekeeper;
  let since: Date | null = null;
  let seen_ms = timekeeper.offset_ms();
  const standstill = watchForStandstill(log);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  /** When the row was renewed, by the monotonic clock; null where there is none. */
  let renewed_ms: number | null = null;

  function look(): void {
    standstill.look();
    const offset_ms = timekeeper.offset_ms();
    if (Math.abs(offset_ms - seen_ms) > jump_ms) timekeeper.measureSoon();
    seen_ms = offset_ms;
    const offset_seconds = offset_ms / 1_000;
    const isOff = Math.abs(offset_ms) > mostOff_ms;
    if (isOff && since === null) {
      since = clock.real();
      log.error(
        { offset_seconds },
        'the local clock is off: the time of the database differs by more than 2 s; set the clock that is wrong',
      );
    } else if (!isOff && since !== null) {
      since = null;
      log.warn({ offset_seconds }, 'the local clock is right again');
    }
    // What fails is tried again at the next look.
    writing ??= write(offset_ms)
      .catch(() => undefined)
      .finally(() => (writing = null));
  }

  async function write(offset_ms: number): Promise<void> {
    if (since === null) {
      if (renewed_ms === null) return;
      await deleteOffClocks(db, process_id, later(clock.real(), -forgotten_ms));
      renewed_ms = null;
    } else if (renewed_ms === null || performance.now() - renewed_ms >= renew_ms) {
      await upsertOffClock(db, { process_id, process, offset_ms, since, seen_at: clock.real() });
      renewed_ms = performance.now();
    }
  }

  return {
    start() {
      standstill.begin();
      look();
      timer = setInterval(look, look_ms);
      timer.unref();
    },
    look,
    async stop() {
      clearInterval(timer);
      await writing;
      since = null;
      await write(0).catch(() => undefined);
    },
  };
}

/** The processes whose local clock is off now. */
export const readOffClocks = ({ db, clock }: { db: Database; clock: Clock }): Promise<OffClock[]> =>
  selectOffClocks(db, later(clock.real(), -forgotten_ms));
