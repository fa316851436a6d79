import { expect, test } from 'vitest';
import { readSummary } from './pgbench.ts';

const summary = (failed: number): string => `pgbench (15.18, server 18.4)
transaction type: <builtin: select only>
number of transactions actually processed: 900
number of failed transactions: ${failed} (0.000%)
latency average = 2.093 ms
initial connection time = 70.125 ms
tps = 15290.480 (without initial connection time)
`;

test("pgbench's summary gives its rate and latency", () => {
  expect(readSummary(summary(0))).toEqual({ rate: 15_290.48, latency_ms: 2.093 });
});

test('failed transactions make the result useless, and so does an unknown summary', () => {
  expect(() => readSummary(summary(1))).toThrow(/^pgbench gave no usable result/);
  expect(() => readSummary('nothing')).toThrow(/^pgbench gave no usable result/);
});
