import { type OffsetClock } from '../time/clock.ts';
import { type Database, sql, type Queryable, type Tx } from '../pg/index.ts';
import { invalid } from '../errors.ts';

/** Where to move the clock: to an instant, or ahead by whole seconds. */
export type ClockTarget = { now: Date } | { advance_seconds: number };

/** The test clock of one process. Its offset stands in the database, so that every process has the same (D-114). */
export interface TestClock {
  /** What all processes are to follow, applied here as well. */
  read(): Promise<{ now: Date; offset_ms: number }>;
  /**
   * Moves the clock, never back. Processes follow once that is committed; this one at its next `read`.
   *
   * @throws AppError `invalid_request`
   */
  move(tx: Tx, target: ClockTarget): Promise<{ before_ms: number; after_ms: number }>;
  stop(): Promise<void>;
}

const channel = 'paydesk_clock';
const poll_ms = 500;
/** Instants are written with four digits for the year, everywhere. */
const lastInstant = new Date('9999-12-31T23:59:59.999Z');

/** Makes this process's clock follow the shared offset, at once and from then on within half a second. */
export async function startTestClock(db: Database, clock: OffsetClock): Promise<TestClock> {
  // An answer that was under way during a move is old: the offset only grows.
  const follow = async (): Promise<void> => {
    const offset_ms = await selectOffset(db);
    if (offset_ms > clock.offset_ms) clock.setOffset(offset_ms);
  };
  await follow();
  // A look that fails is made up for by the next.
  const look = (): void => void follow().catch(() => undefined);
  const timer = setInterval(look, poll_ms);
  timer.unref();
  const stopListening = await db.listen(channel, look);

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

/** The distance from real time that a target asks for. */
function offsetFor(target: ClockTarget, before_ms: number, real: Date): number {
  const field = 'now' in target ? 'now' : 'advance_seconds';
  const after_ms =
    'now' in target ? target.now.getTime() - real.getTime() : before_ms + target.advance_seconds * 1_000;
  if (after_ms < before_ms) throw invalid(field, 'The test clock never goes back.');
  if (after_ms > lastInstant.getTime() - real.getTime())
    throw invalid(field, 'That is beyond the year 9999.');
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
