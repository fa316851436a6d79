/** Instants of requests. */
import { invalid } from '../errors.ts';

const instantForm =
  /^\d{4}-(\d{2})-(\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Reads an instant in RFC 3339, the form of the API's times. Throws `invalid_request` that names `field`. */
export function readInstant(field: string, text: string): Date {
  const match = instantForm.exec(text);
  const at = new Date(text.toUpperCase());
  if (match === null || Number.isNaN(at.getTime()) || !isDay(text) || !hasFourDigits(at)) {
    throw invalid(field, `${field} must be an instant in RFC 3339, such as 2030-01-31T12:00:00Z.`);
  }
  return at;
}

/** Whether a text is an instant as `toISOString` writes it. The keys of cursors have this form. */
export function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text && hasFourDigits(at);
}

/** Whether the date that a text begins with exists: the parser would read 30 February as 2 March. */
export function isDay(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Whether the year in UTC is 1 to 9999 (D-950): RFC 3339 writes no other, and the check of the books could not read it. */
const hasFourDigits = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;
