/** Reads values that several administration calls share. */
import { invalid } from '../../base/errors.ts';

/**
 * The reason of a call that requires one.
 *
 * @throws AppError `invalid_request` on `reason` if it is missing or blank
 */
export function demandReason(reason: string | undefined): string {
  const text = reason?.trim() ?? '';
  if (text === '') throw invalid('reason', 'This change needs a reason.');
  return text;
}

/**
 * A text parameter of a list's query, trimmed; null if it is empty or absent.
 *
 * @throws AppError `invalid_request`
 */
export function textIn(query: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = query[field] ?? '';
  if (typeof value !== 'string' || value.length > 300) throw invalid(field, `${field} must be one text.`);
  const text = value.trim();
  return text === '' ? null : text;
}

/**
 * A parameter of a list's query that allows only `values`; null if it is empty or absent.
 *
 * @throws AppError `invalid_request`
 */
export function oneIn<T extends string>(
  query: Readonly<Record<string, unknown>>,
  field: string,
  values: readonly T[],
): T | null {
  const text = textIn(query, field);
  const known = values.find((candidate) => candidate === text);
  if (text !== null && known === undefined)
    throw invalid(field, `${field} must be one of ${values.join(', ')}.`);
  return known ?? null;
}
