import { expect, test } from 'vitest';
import { later, minutes } from '../../base/time/clock.ts';
import { afterResults, endpointOf, noFailures, type ReceiverState } from './failing-receiver.ts';

const start = new Date('2026-01-02T03:04:05.678Z');
/** `F` is a failure and `S` a success, a minute apart. */
const resultsOf = (marks: string) =>
  marks.split('').map((mark, at) => ({
    finished_at: later(start, minutes(at)),
    http_status: mark === 'F' ? 500 : 204,
    error: mark === 'F' ? ('http_error' as const) : null,
  }));
const failed = (failures: number): ReceiverState => ({
  failures,
  failing_since: later(start, -minutes(failures)),
  last_failure_at: later(start, -minutes(1)),
  last_http_status: null,
  last_error: 'timeout',
});

test.each<[string, number, string, string[], number]>([
  ['a success', 0, 'S', [], 0],
  ['one failure', 0, 'F', [], 1],
  ['a second failure in a row', 1, 'F', ['failing'], 2],
  ['two failures at once', 0, 'FF', ['failing'], 2],
  ['a third failure', 2, 'F', [], 3],
  ['many failures', 0, 'FFFFFFFFFF', ['failing'], 10],
  ['a success after one failure', 1, 'S', [], 0],
  ['the first success after', 2, 'S', ['recovered'], 0],
  ['a second success after', 2, 'SS', ['recovered'], 0],
  ['failures that are not in a row', 1, 'SFSF', [], 1],
  ['an incident within the results', 1, 'FSFF', ['failing', 'recovered', 'failing'], 2],
])('D-217 after %s', (_, before, marks, news, failures) => {
  const result = afterResults(before === 0 ? noFailures : failed(before), resultsOf(marks));
  expect([result.news.map((one) => one.news), result.after.failures]).toEqual([news, failures]);
});

test('D-217 an incident begins with the first failure and has the last answer; results come in any order', () => {
  const { after } = afterResults(noFailures, resultsOf('FF').toReversed());
  expect(after).toEqual({
    failures: 2,
    failing_since: start,
    last_failure_at: later(start, minutes(1)),
    last_http_status: 500,
    last_error: 'http_error',
  });
  expect(afterResults(failed(1), resultsOf('F')).after.failing_since).toEqual(later(start, -minutes(1)));
});

test('D-217 a receiver is its address without the query', () => {
  expect(endpointOf('https://shop.example/hook?order=1?2')).toBe('https://shop.example/hook');
  expect(endpointOf('https://shop.example')).toBe('https://shop.example');
});
