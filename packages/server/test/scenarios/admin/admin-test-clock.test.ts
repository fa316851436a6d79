import { ClockAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Reading extends Json {
  now: string;
  offset_seconds: number;
}

const headers = { authorization: 'Bearer test-administration-key' };
const put = (body: unknown): Promise<Answer<Reading>> =>
  service.send('PUT', '/admin/v1/test-clock', { body, headers });
const read = (): Promise<Reading> => service.admin('GET', '/test-clock');

describe('D-114 the test clock', () => {
  test('starts in real time and moves ahead by seconds or to an instant', async () => {
    const start = await read();
    expect(Check(ClockAnswer, start)).toBe(true);
    expect(start.offset_seconds).toBe(0);
    expect(Math.abs(Date.parse(start.now) - Date.now())).toBeLessThan(60_000);

    const ahead = await put({ advance_seconds: 90 });
    expect([ahead.status, ahead.body.offset_seconds]).toEqual([200, 90]);
    expect((await put({ advance_seconds: 0 })).body.offset_seconds).toBe(90);

    const target = new Date(Date.now() + 86_400_000).toISOString();
    const there = await put({ now: target.replace('Z', '+00:00') });
    expect(there.status).toBe(200);
    const past = Date.parse(there.body.now) - Date.parse(target);
    expect(past).toBeGreaterThanOrEqual(0);
    expect(past).toBeLessThan(60_000);
    expect((await read()).offset_seconds).toBe(there.body.offset_seconds);
  });

  test('each move is in the audit log', async () => {
    const { offset_seconds } = await read();
    await put({ advance_seconds: 5 });
    const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1');
    expect(items[0]).toMatchObject({
      action: 'test-clock.move',
      target: 'test-clock',
      before: { offset_seconds },
      after: { offset_seconds: offset_seconds + 5 },
    });
  });

  test('concurrent moves all count', async () => {
    const { offset_seconds } = await read();
    await Promise.all(Array.from({ length: 10 }, () => put({ advance_seconds: 1 })));
    expect((await read()).offset_seconds).toBe(offset_seconds + 10);
  });

  test.each([
    [{}, 'now'],
    [{ now: '2999-01-01T00:00:00Z', advance_seconds: 1 }, 'now'],
    [{ now: '2020-01-01T00:00:00Z' }, 'now'],
    [{ now: 'soon' }, 'now'],
    [{ now: '2999-02-29T00:00:00Z' }, 'now'],
    [{ now: 4_000_000_000 }, 'now'],
    [{ advance_seconds: -1 }, 'advance_seconds'],
    [{ advance_seconds: 1.5 }, 'advance_seconds'],
    [{ advance_seconds: '60' }, 'advance_seconds'],
    [{ advance_seconds: 9_007_199_254_740_991 }, 'advance_seconds'],
  ])('never goes back, nor where nothing can be written: %j names %s', async (body, field) => {
    const { offset_seconds } = await read();
    const refused = await put(body);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect((await read()).offset_seconds).toBe(offset_seconds);
  });

  test('other processes follow', async () => {
    const other = await service.another('web');
    const { body } = await put({ advance_seconds: 3_600 });
    // The answer of this call carries the other process's time, and does not make it look at the clock.
    const theirs = (): Promise<Answer<{ after: { at: string } }>> =>
      request(`${other.url}/admin/v1/currencies/XTS`, 'PUT', {
        body: { decimals: 2, enabled: false },
        headers,
      });
    const latest = async (): Promise<string> => {
      await theirs();
      const { items } = await service.admin<{ items: { at: string }[] }>('GET', '/audit-log?limit=1');
      return items[0]?.at ?? '';
    };
    await eventually(latest, (at) => at >= body.now);
  });

  test('does not exist where it is not enabled', async () => {
    const real = await startTestService({ env: { PAYDESK_TEST_CLOCK: '0' } });
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { body: { advance_seconds: 1 } } : {};
      const answer = await real.send(method, '/admin/v1/test-clock', { headers, ...body });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    await real.stop();
  });
});
