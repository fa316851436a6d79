/** The time span that a list is filtered by. */
import { readInstant } from './instant.ts';
import { invalid } from '../errors.ts';

/** From `from` (included) to `to` (excluded). Null means no bound. */
export interface TimeSpan {
  from: Date | null;
  to: Date | null;
}

/**
 * Reads `from` and `to` of a list. An empty text means no bound.
 *
 * @throws AppError `invalid_request`
 */
export function readTimeSpan({ from, to }: Readonly<Record<string, unknown>>): TimeSpan {
  return { from: readEnd('from', from), to: readEnd('to', to) };
}

function readEnd(field: string, value: unknown): Date | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(field, `${field} must be a single instant.`);
  return readInstant(field, value);
}
