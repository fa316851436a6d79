import { readInstant } from './decode.ts';
import { invalid } from '../errors.ts';

/** From an instant to another, which is left out; null: from ever, or for ever. */
export interface TimeSpan {
  from: Date | null;
  to: Date | null;
}

/**
 * Reads `from` and `to` of a list; empty counts as absent.
 *
 * @throws AppError `invalid_request`
 */
export function readTimeSpan({ from, to }: Readonly<Record<string, unknown>>): TimeSpan {
  return { from: readEnd('from', from), to: readEnd('to', to) };
}

function readEnd(field: string, value: unknown): Date | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(field, `${field} is one instant.`);
  return readInstant(field, value);
}
