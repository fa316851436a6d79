/** Checks request members: bodies against a schema, UUIDs. Errors name the invalid member. */
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
    case 'boolean':
      // No schema is `false` but that of members beside the known ones (D-1321).
      return 'is not a member that this call knows';
    case 'enum':
      return `must be one of ${fault.params.allowedValues.join(', ')}`;
    default:
      return fault.message;
  }
}

/** Removes the escapes of a JSON pointer. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (text: string): boolean => uuid.test(text);
