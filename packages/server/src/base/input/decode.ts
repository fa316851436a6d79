/** Checks request members: bodies against a schema, instants, UUIDs. Errors name the invalid member. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError, invalid } from '../errors.ts';

/**
 * Creates a function that checks request bodies against a schema. It drops unknown members (D-014).
 *
 * @throws AppError `invalid_request` with the dotted path of the first invalid member
 */
export function reader<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  // Compiled at the first body, so that the start does not wait for all schemas.
  let compiled: ReturnType<typeof Compile<S>> | undefined;
  return (body) => {
    const shape = (compiled ??= Compile(schema));
    if (shape.Check(body)) return shape.Clean(body) as Static<S>;
    throw refusal(shape.Errors(body));
  };
}

type Fault = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

function refusal(faults: Fault[]): AppError {
  const [first] = faults;
  if (first === undefined) return new AppError('invalid_request');
  // Each option of an `anyOf` reports its own error. The error to show is that no option fits.
  const fault =
    faults.find(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === first.instancePath) ??
    first;
  const path = fault.instancePath.split('/').slice(1).map(unescaped);
  if (fault.keyword === 'required') {
    const missing = fault.params.requiredProperties[0] ?? '';
    return invalid([...path, missing].join('.'), `${missing} is missing.`);
  }
  if (fault.keyword === 'additionalProperties') {
    const unknown = fault.params.additionalProperties[0] ?? '';
    return invalid([...path, unknown].join('.'), `${unknown} is not a member that this call knows.`);
  }
  if (path.length === 0) return new AppError('invalid_request', { description: 'Send a JSON object.' });
  const field = path.join('.');
  return invalid(field, `${field} ${problemOf(fault)}.`);
}

function problemOf(fault: Fault): string {
  switch (fault.keyword) {
    case 'anyOf':
      return 'does not have an accepted format';
    case 'pattern':
      return 'does not have the expected format';
    case 'enum':
      return `must be one of ${fault.params.allowedValues.join(', ')}`;
    default:
      return fault.message;
  }
}

/** Removes the escapes of a JSON pointer. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const instantForm =
  /^\d{4}-(\d{2})-(\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Reads an instant in RFC 3339. Throws `invalid_request` that names `field`. */
export function readInstant(field: string, text: string): Date {
  const match = instantForm.exec(text);
  const at = new Date(text.toUpperCase());
  if (match === null || Number.isNaN(at.getTime()) || !isDay(text) || !hasFourDigits(at)) {
    throw invalid(field, `${field} must be an instant in RFC 3339, such as 2030-01-31T12:00:00Z.`);
  }
  return at;
}

/** Whether the date exists: the parser would read 30 February as 2 March. */
function isDay(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Whether the year in UTC is 1 to 9999 (D-950): RFC 3339 writes no other, and the check of the books could not read it. */
const hasFourDigits = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (text: string): boolean => uuid.test(text);
