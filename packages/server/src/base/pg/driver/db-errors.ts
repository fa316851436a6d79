/** Classifies errors of the database by their SQLSTATE or socket error. Constraint names are never read. */
import pg from 'pg';
import { AppError } from '../../errors.ts';

/** The SQLSTATE of a database error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

const retryable = new Set(['40001', '40P01']);

/** A deadlock or a serialization failure. A retry may succeed. */
export const isRetryable = (error: unknown): boolean => retryable.has(sqlState(error) ?? '');

/** A lost or refused connection: SQLSTATE class 08 or 57P, too many connections, or an error of the socket. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_)/.test(code)) ||
    /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|not queryable/i.test(
      error.message,
    )
  );
}

/** A statement failed only because an earlier one in its transaction failed. It does not tell the cause. */
export const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

/**
 * A statement was cancelled without a time limit, as PostgreSQL says. It also says so of a statement whose limit for locks
 * ends in the moment in which it gets the lock, if it then waits for another one: some of 100,000 such limits (D-669). A
 * server that speaks another language is not understood, and the statement counts as timed out.
 */
const isCancelled = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '57014' &&
  error.message.endsWith('due to user request');

/** A statement exceeded the time limit. It changed nothing. */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014' && !isCancelled(error);

/** A statement waited too long for a lock, or it was cancelled. It changed nothing, and is worth another try. */
export const isLockBusy = (error: unknown): boolean => sqlState(error) === '55P03' || isCancelled(error);

/** The database found no room on the disk or in memory (class 53). It changed nothing, and a later retry may succeed. */
const isOutOfRoom = (error: unknown): boolean => sqlState(error)?.startsWith('53') === true;

/** A new connection is refused: the password of the role has changed, or the role or the database is away (D-1018). */
const isRefused = (error: unknown): boolean => /^(28|3D)/.test(sqlState(error) ?? '');

/** A statement would write on a server that does not accept writes, such as a former primary. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006';

/**
 * The connection was lost after a write was sent: whether it happened is unknown (H-25). To a caller it is
 * `service_unavailable`; a caller that can look it up does so.
 */
export class OutcomeUnknownError extends AppError {
  constructor(cause: unknown) {
    super('service_unavailable', { retry_after_s: 5 });
    this.cause = cause;
  }
}

/** Runs `ask`. If the database cannot be reached or is overloaded, throws `service_unavailable` (503, H-25). */
export async function unreachableAsUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isPassing = [isUnreachable, isTimedOut, isLockBusy, isOutOfRoom, isReadOnly, isRefused].some((is) =>
      is(error),
    );
    if (!isPassing) throw error;
    const unavailable = new AppError('service_unavailable', { retry_after_s: 5 });
    unavailable.cause = error;
    throw unavailable;
  }
}
