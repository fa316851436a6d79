import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readRawBody } from './raw-body.ts';

test('the bytes are kept as they came, also where a chunk ends inside a character', async () => {
  const bytes = Buffer.from('{"a":"é"}');
  const body = await readRawBody(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));
  expect(body.equals(bytes)).toBe(true);
});

test('a body of exactly the limit is read, one byte more is refused', async () => {
  expect(await readRawBody(Readable.from([Buffer.alloc(3), Buffer.alloc(2)]), 5)).toHaveLength(5);
  await expect(readRawBody(Readable.from([Buffer.alloc(3), Buffer.alloc(3)]), 5)).rejects.toThrow(RangeError);
});
