/** Demands that the OpenAPI documents have what the service answers. */
import { adminOperations, type Operation, operations, statusOf } from '@paydesk/contract';
import type { Answer } from '../desks/service.ts';

/** The calls with their paths as patterns. Those with fewer parameters come first: `/a/b` is not `/a/{x}`. */
const calls = [...operations, ...adminOperations]
  .map((operation) => {
    const { place } = operation;
    const path = 'path' in place ? place.path : place.at.replace(/^(\w+)_endpoint$/, '/oauth/$1');
    const parts = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+');
    return { operation, pattern: new RegExp(`^${parts}$`), parameters: path.split('{').length };
  })
  .sort((one, other) => one.parameters - other.parameters);

/**
 * Throws if this is the answer of a documented call, and its status or its error code is not in the document (D-1046).
 *
 * @param path below the public address, with its query
 */
export function demandDocumented(method: string, path: string, { status, body }: Answer<unknown>): void {
  const called = path.replace(/[?#].*$/s, '');
  const call = calls.find(
    ({ operation, pattern }) => operation.method.toUpperCase() === method && pattern.test(called),
  );
  if (call === undefined || isDocumented(call.operation, status, codeOf(body))) return;
  throw new Error(`${call.operation.id} has no ${status} ${codeOf(body) ?? ''} in the OpenAPI document`);
}

const isDocumented = ({ successes, errors }: Operation, status: number, code: string | null): boolean =>
  successes.some((success) => success.status === status) ||
  errors.some((error) => error === code && statusOf(error) === status);

function codeOf(body: unknown): string | null {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
  return typeof error === 'string' ? error : null;
}
