/** Builds the answers of a call in the document: its successes and its errors. */
import { ErrorAnswer } from '../error-body.ts';
import { describe, type ErrorCode, statusOf } from '../errors.ts';
import type { Components } from './components.ts';
import type { HeaderName } from './headers.ts';
import type { MediaType, ResponseObject } from './model.ts';
import type { Operation, Success } from './operation.ts';

/** Errors that are always about the same parameter. */
const fieldOf: Partial<Record<ErrorCode, string>> = {
  invalid_amount: 'amount',
  invalid_amount_precision: 'amount',
  currency_unavailable: 'currency',
  invalid_expires_in: 'expires_in',
  invalid_return_url: 'return_url',
};

/** Begins the names of the schemas that a call has for itself. */
export const schemaName = (id: string): string => id.slice(0, 1).toUpperCase() + id.slice(1);

/** Every status of an operation (H-28), with its answer as it is, in no envelope, or its error codes. */
export function responsesOf(operation: Operation, components: Components): Record<string, ResponseObject> {
  const owner = schemaName(operation.id);
  const successes = operation.successes.map((success): [string, ResponseObject] => [
    String(success.status),
    successOf(success, components, owner),
  ]);
  const statuses = [...new Set(operation.errors.map(statusOf))];
  const failures = statuses.map((status): [string, ResponseObject] => {
    const codes = operation.errors.filter((code) => statusOf(code) === status);
    return [String(status), failureOf(status, [...new Set(codes)], components)];
  });
  return Object.fromEntries([...successes, ...failures]);
}

function successOf(
  { description, csv = false, pdf = false, schemas = [], headers = [] }: Success,
  components: Components,
  owner: string,
): ResponseObject {
  const answer: ResponseObject = { description, headers: referTo('X-Request-Id', ...headers) };
  if (pdf)
    return { ...answer, content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } };
  if (csv) return { ...answer, content: { 'text/csv': { schema: { type: 'string' } } } };
  const [first, ...more] = schemas;
  if (first === undefined) return answer;
  const schema =
    more.length === 0
      ? components.use(first, owner)
      : { oneOf: schemas.map((one) => components.use(one, owner)) };
  const media: MediaType = { schema };
  const examples = schemas.flatMap(
    (one) => (one as { examples?: readonly unknown[] }).examples?.slice(0, 1) ?? [],
  );
  if (examples.length === 1) media.example = examples[0];
  if (examples.length > 1) {
    media.examples = Object.fromEntries(examples.map((value, i) => [`answer_${i + 1}`, { value }]));
  }
  return { ...answer, content: { 'application/json': media } };
}

function failureOf(status: number, codes: readonly ErrorCode[], components: Components): ResponseObject {
  const sorted = codes.toSorted();
  return {
    description: sorted.map((code) => `- \`${code}\`: ${describe(code)}`).join('\n'),
    headers: referTo(
      'X-Request-Id',
      ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ),
    content: {
      'application/json': {
        schema: components.use(ErrorAnswer),
        examples: Object.fromEntries(sorted.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: ErrorCode) {
  const field = fieldOf[code];
  return { error: code, error_description: describe(code), ...(field === undefined ? {} : { field }) };
}

const referTo = (...names: HeaderName[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
