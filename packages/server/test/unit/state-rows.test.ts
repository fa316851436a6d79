import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Every transition of an order (T1 to T11, and events that change nothing) and of an attempt has a test with its row in
 * the test's name, or in the row of the table that generates it.
 */
const here = dirname(fileURLToPath(import.meta.url));

const sources = ['../scenarios', '../support', '.', '../../src/payments', '../../src/collection'].flatMap(
  (folder) =>
    readdirSync(join(here, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(\.test|fault-rules)\.ts$/.test(name) && !name.endsWith('state-rows.test.ts'))
      .map((name) => readFileSync(join(here, folder, name), 'utf8')),
);

const named = (row: RegExp): boolean => sources.some((source) => row.test(source));

test.each(['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11'])(
  'table 3.1: %s is named by a test',
  (row) => {
    expect(named(new RegExp(`['\`][^'\`\\n]*\\b${row}\\b`))).toBe(true);
  },
);

test.each([
  'second verified payment',
  'mismatched receipt',
  'complaint opened, dismissed',
  'no statement makes a forbidden move',
])('table 3.1: %s is named by a test', (row) => {
  expect(named(new RegExp(`3\\.1[^'\`\\n]*${row}`))).toBe(true);
});

test.each([
  'none → creating',
  'creating → open',
  'creating → mismatch',
  'creating → rejected',
  'creating → unknown',
  'creating → paid',
  'unknown → open',
  'unknown → unknown',
  'unknown → found by look-up',
  'unknown → absent',
  'open → open',
  'open → processing',
  '→ paid',
  'open → closed',
  'open, expire refused because complete',
  'open → open where closing fails',
  'processing → failed',
  'processing → paid',
  'closed → paid_late',
  'failed → paid_late',
  'absent → paid_late',
  'rejected → paid_late',
  'paid → paid',
  'mismatch → paid or closed',
  'PTK',
])('table 3.2: %s is named by a test', (row) => {
  expect(named(new RegExp(`3\\.2[^'\`\\n]*${row}`))).toBe(true);
});
