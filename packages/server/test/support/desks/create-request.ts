/** Creation requests as raw JSON, for tests of how they are read. */
import { expect } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { parseJson } from '../../../src/base/input/json.ts';
import { type CreateRequest, decodeCreateRequest } from '../../../src/collection/creating/create-request.ts';

/** A body as raw JSON texts by member, so that a test can write invalid JSON. */
export type RawBody = Record<string, string>;

export const valid: RawBody = {
  external_reference: '"INV-1"',
  idempotency_key: '"key-1"',
  amount: '"10.00"',
  currency: '"USD"',
};

export function decodeRaw(body: RawBody): CreateRequest {
  const members = Object.entries(body).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return decodeCreateRequest(parseJson(Buffer.from(`{${members.join(',')}}`, 'utf8')));
}

/** The valid body with changes; null takes a member away. */
export function decode(change: Record<string, string | null> = {}): CreateRequest {
  const body = { ...valid, ...change };
  return decodeRaw(
    Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== null)),
  );
}

/** How a body is refused: `code` or `code field`; `accepted` where it is not. */
export function refusal(change: Record<string, string | null>): string {
  try {
    decode(change);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.body().error_description).not.toBe('');
    return error.detail.field === undefined ? error.code : `${error.code} ${error.detail.field}`;
  }
  return 'accepted';
}

export const json = (value: unknown): string => JSON.stringify(value);
