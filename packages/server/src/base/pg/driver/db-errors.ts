/** Classifies errors of the database by their SQLSTATE or socket error. Constraint names are never read. */
import pg from 'pg';
import { AppError } from '../../errors.ts';

/** The SQLSTATE of a database error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';
export const isCheckViolation = (error: unknown): boolean => sqlState(error) === '23514';

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
    /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(
      error.message,
    )
  );
}

/** A statement failed only because an earlier one in its transaction failed. It does not tell the cause. */
export const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

/** A statement exceeded the time limit. It changed nothing. */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014';

/**
 * A statement waited too long for a lock, ran too long, or found no room on the disk or in memory (class 53). It changed
 * nothing, and a later retry may succeed.
 */
const isOverloaded = (error: unknown): boolean =>
  isTimedOut(error) || sqlState(error) === '55P03' || sqlState(error)?.startsWith('53') === true;

/** Runs `ask`. If the database cannot be reached or is overloaded, throws `service_unavailable` (503, H-25). */
export async function unreachableAsUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isUnreachable(error) && !isOverloaded(error)) throw error;
    const unavailable = new AppError('service_unavailable', { retry_after_s: 5 });
    unavailable.cause = error;
    throw unavailable;
  }
}
