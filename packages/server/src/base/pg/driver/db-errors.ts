import pg from 'pg';
import { AppError } from '../../errors.ts';

/** The SQLSTATE of a database error, or undefined for any other. Constraint names are never read. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';
export const isCheckViolation = (error: unknown): boolean => sqlState(error) === '23514';

const retryable = new Set(['40001', '40P01']);

/** A deadlock or a serialization failure: the same once more may well succeed. */
export const isRetryable = (error: unknown): boolean => retryable.has(sqlState(error) ?? '');

/** What a lost or refused connection looks like: by class 08 and 57P, or an error of the socket. */
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

/** A statement behind one that failed in its transaction: what it says is not what went wrong. */
export const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

/** A statement that took longer than statements may: nothing happened. */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014';

/** Waited too long for a lock or an answer: nothing happened, and a retry may fare better. */
const isOverloaded = (error: unknown): boolean => isTimedOut(error) || sqlState(error) === '55P03';

/** Turns what a database says that is lost or too busy into a 503 (H-25). */
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
