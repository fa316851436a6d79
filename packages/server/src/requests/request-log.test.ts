import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { OffsetClock } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import { systemIds } from '../base/ids.ts';
import { createRequestLog } from './request-log.ts';
import type { AnsweredRequest } from './request.sql.ts';

const request: AnsweredRequest = {
  request_id: 'r-1',
  client_id: 'cl_1',
  method: 'GET',
  route: '/openapi/v1/merchant-payments/:order_no',
  path: '/openapi/v1/merchant-payments/mp_1',
  status: 200,
  error: null,
  field: null,
  duration_ms: 3.2,
};

/** A log on a database that answers as it is told, with what was sent to it. */
function logOn({
  answer = () => Promise.resolve([]),
  most = 2,
}: {
  answer?: () => Promise<never[]>;
  most?: number;
}) {
  const sent: unknown[][] = [];
  const query = ({ values }: { values: unknown[] }) => {
    sent.push(values);
    return answer();
  };
  const registry = new Registry();
  const log = createRequestLog(
    {
      db: { query } as unknown as Database,
      clock: new OffsetClock(),
      ids: systemIds(),
      merchantOf: (client_id) => Promise.resolve(client_id === 'cl_free' ? null : `merchant of ${client_id}`),
    },
    most,
  );
  log.register(registry);
  return { log, sent, figures: () => registry.metrics() };
}

test('requests that were answered are written together, in their order, and once', async () => {
  const { log, sent } = logOn({ most: 5 });
  for (const client_id of ['cl_1', null, 'cl_free', 'cl_2']) log.note({ ...request, client_id });
  expect(sent).toEqual([]);
  expect(await log.flush()).toBe(2);
  expect(await log.flush()).toBe(0);
  expect(sent).toHaveLength(1);
  const [merchants, seen_ids] = sent[0] as [string[], string[]];
  expect(merchants).toEqual(['merchant of cl_1', 'merchant of cl_2']);
  expect([...seen_ids].sort()).toEqual(seen_ids);
});

test('many are written a portion at a time, each once and in their order', async () => {
  const { log, sent } = logOn({ most: 2_000 });
  for (let i = 0; i < 1_200; i++) log.note({ ...request, request_id: `r-${i}` });
  expect(await log.flush()).toBe(1_200);
  const ids = sent.map(([, , request_ids]) => request_ids as string[]);
  expect(ids.map(({ length }) => length)).toEqual([500, 500, 200]);
  expect(ids.flat()).toEqual(Array.from({ length: 1_200 }, (_, i) => `r-${i}`));
});

test('a note beyond the limit is lost and counted, and nothing waits', async () => {
  const { log, figures } = logOn({ most: 2 });
  for (let i = 0; i < 5; i++) log.note(request);
  expect(await figures()).toContain('paydesk_request_notes_lost_total{reason="full"} 3');
  expect(await log.flush()).toBe(2);
});

test('what the database does not take is lost and counted, and not held against what comes next', async () => {
  const { log, figures } = logOn({ answer: () => Promise.reject(new Error('away')) });
  log.note(request);
  await expect(log.flush()).rejects.toThrow('away');
  expect(await figures()).toContain('paydesk_request_notes_lost_total{reason="failed"} 1');
  expect(await log.flush()).toBe(0);
});
