import { type OffsetClock } from '../time/clock.ts';
import { type Database, sql, type Queryable, type Tx } from '../pg/index.ts';
import { invalid } from '../errors.ts';

/** The new time of the clock: an instant, or a number of whole seconds to add. */
export type ClockTarget = { now: Date } | { advance_seconds: number };

/** The test clock of one process. All processes share one offset in the database, which only grows (D-114). */
export interface TestClock {
  /** Reads the shared offset and applies it to the clock of this process. */
  read(): Promise<{ now: Date; offset_ms: number }>;
  /**
   * Moves the clock forward. Processes follow after the commit; this process also at its next `read`.
   *
   * @throws AppError `invalid_request`
   */
  move(tx: Tx, target: ClockTarget): Promise<{ before_ms: number; after_ms: number }>;
  stop(): Promise<void>;
}

const channel = 'paydesk_clock';
export const poll_ms = 500;
/** Instants are written with a year of four digits. */
const lastInstant = new Date('9999-12-31T23:59:59.999Z');

/** Moves a clock as far as the test clock is now, for a command (D-1408). */
export async function followTestClock(db: Queryable, clock: OffsetClock): Promise<void> {
  clock.setOffset(await selectOffset(db));
}

/** Applies the shared offset to this process's clock now, and each later change within half a second. */
export async function startTestClock(db: Database, clock: OffsetClock): Promise<TestClock> {
  // The offset only grows, so a smaller value is an old answer that arrived late.
  const follow = async (): Promise<void> => {
    const offset_ms = await selectOffset(db);
    if (offset_ms > clock.offset_ms) clock.setOffset(offset_ms);
  };
  await follow();
  // If this fails, the next poll tries again.
  const tryFollow = (): void => void follow().catch(() => undefined);
  const timer = setInterval(tryFollow, poll_ms);
  timer.unref();
  const stopListening = await db.listen(channel, tryFollow);

  return {
    async read() {
      await follow();
      return { now: clock.now(), offset_ms: clock.offset_ms };
    },
    async move(tx, target) {
      const before_ms = await lockOffset(tx);
      const real = clock.real();
      const after_ms = offsetFor(target, before_ms, real);
      await tx.query(sql`UPDATE test_clock SET offset_ms = ${after_ms} WHERE singleton`);
      await tx.query(sql`SELECT pg_notify(${channel}, '')`);
      return { before_ms, after_ms };
    },
    async stop() {
      clearInterval(timer);
      await stopListening();
    },
  };
}

/** The offset from real time that leads to the target. */
function offsetFor(target: ClockTarget, before_ms: number, real: Date): number {
  const field = 'now' in target ? 'now' : 'advance_seconds';
  const after_ms =
    'now' in target ? target.now.getTime() - real.getTime() : before_ms + target.advance_seconds * 1_000;
  if (after_ms < before_ms) throw invalid(field, 'The test clock cannot go back.');
  if (after_ms > lastInstant.getTime() - real.getTime())
    throw invalid(field, 'The test clock cannot go beyond the year 9999.');
  return after_ms;
}

async function selectOffset(db: Queryable): Promise<number> {
  const [row] = await db.query<{ offset_ms: bigint }>(sql`SELECT offset_ms FROM test_clock WHERE singleton`);
  return Number(row?.offset_ms ?? 0n);
}

async function lockOffset(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ offset_ms: bigint }>(
    sql`SELECT offset_ms FROM test_clock WHERE singleton FOR UPDATE`,
  );
  return Number(row?.offset_ms ?? 0n);
}
