import { describe, expect, test } from 'vitest';
import { type Call, emptyHistory } from '../chaos/history.ts';
import { longestOutage, resultOf } from './load.ts';

const call = (from_ms: number, to_ms: number, status = 200, kind: Call['kind'] = 'read'): Call => ({
  ...{ kind, client: 'client-1', from_ms, to_ms, status, error: '', order_no: 'one', key: 'one/1' },
});

describe('H-25 the longest outage of a kind of request', () => {
  test('without a failure it is the slowest answer', () => {
    expect(longestOutage([call(0, 10), call(1_000, 1_030), call(2_000, 2_010)], 'read')).toBe(30);
  });

  test('it lasts from the first request that fails to the next success', () => {
    const calls = [
      call(0, 10),
      call(500, 600, 503),
      call(900, 1_000, 0),
      call(1_300, 1_320),
      call(2_000, 2_010),
    ];
    expect(longestOutage(calls, 'read')).toBe(820);
  });

  test('requests that wait are an outage, also if they succeed at last', () => {
    expect(longestOutage([call(0, 9_000), call(100, 9_100), call(50, 200)], 'read')).toBe(8_800);
  });

  test('an outage that does not end lasts until the last answer, and other kinds do not count', () => {
    const calls = [call(0, 10), call(100, 200, 503), call(300, 5_000, 0), call(600, 610, 200, 'pay')];
    expect(longestOutage(calls, 'read')).toBe(4_900);
    expect(longestOutage(calls, 'pay')).toBe(10);
  });
});

test('H-25 an order that was acknowledged and is gone at the end is lost', () => {
  const history = { ...emptyHistory(), calls: [call(0, 10, 201, 'create'), call(20, 30, 503)] };
  expect(resultOf(history)).toMatchObject({ acknowledged: 1, lost: 1, doubled: 0, failed: 1 });
});
