import { alarmKinds } from '@paydesk/contract';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/base/pg/index.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { familyMetrics } from '../../../src/compose/processes/process-counts.ts';
import { startTracing } from '../../../src/compose/tracing.ts';
import { auditMetrics } from '../../../src/seals/index.ts';
import { type OrderDesk, openOrderDesk } from '../../support/desks/order-desk.ts';
import { eventually, request } from '../../support/desks/service.ts';

let desk: OrderDesk;

beforeAll(async () => {
  desk = await openOrderDesk();
  await desk.payByPtk(await desk.merchant.order());
});
afterAll(() => desk.stop());

const metrics = async (): Promise<string[]> =>
  (await request(`${desk.service.url}/metrics`, 'GET')).text.split('\n');

/** The lines of a figure. */
const linesOf = async (name: string): Promise<string[]> =>
  (await metrics()).filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

const valueOf = (line: string | undefined): number => Number(line?.split(' ').at(-1));

describe('H-24 the figures of a process', () => {
  test('H-24 requests by template of the route, caller, status and its class; no order, no merchant', async () => {
    const lines = await linesOf('paydesk_http_request_duration_seconds_count');
    const labels = lines.map((line) => line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1));
    expect(labels).toEqual(
      expect.arrayContaining([
        '{method="POST",route="/openapi/v1/merchant-payments",status="201",status_class="2xx",caller="merchant"}',
        '{method="POST",route="/checkout/api/:order_no/payments",status="200",status_class="2xx",caller="buyer"}',
      ]),
    );
    expect(labels.join('\n')).toContain('caller="admin"');
    expect((await metrics()).join('\n')).not.toMatch(/\b(mp|mer|m|pa|ne)_[0-9A-Z]{26}\b/);
  });

  test('H-24 the pool: its size, its connections, and how long work waits for one', async () => {
    const [most] = await linesOf('paydesk_db_pool_max_connections');
    expect(valueOf(most)).toBeGreaterThan(4);
    expect(await linesOf('paydesk_db_pool_connections')).toHaveLength(2);
    // The loops of the process need connections now and then as well.
    await expect.poll(() => linesOf('paydesk_db_pool_waiting')).toEqual(['paydesk_db_pool_waiting 0']);
    const [waits] = await linesOf('paydesk_db_pool_wait_seconds_count');
    expect(valueOf(waits)).toBeGreaterThan(10);
  });

  test('H-24 the delay of the event loop, the version of the schema, and the age of each loop’s last pass', async () => {
    for (const part of ['p50', 'p99', 'max']) {
      expect(await linesOf(`nodejs_eventloop_lag_${part}_seconds`)).toHaveLength(1);
    }
    const [version] = await linesOf('paydesk_schema_version');
    expect(valueOf(version)).toBeGreaterThanOrEqual(39);
    const ages = await eventually(
      () => linesOf('paydesk_pass_age_seconds'),
      (lines) => lines.length >= 14,
    );
    expect(ages.join('\n')).toMatch(
      /pass="sweep".*\n(.*\n)*.*pass="deliver"|pass="deliver"(.*\n)+.*pass="sweep"/,
    );
    expect(Math.max(...ages.map(valueOf))).toBeLessThan(600);
  });
});

test('H-24 the oldest due sweep, hold and case, what waits for people, and the alarms of the overview', async () => {
  const queues = (await linesOf('paydesk_queue_oldest_due_seconds')).map((line) => line.split('"')[1]);
  expect(queues).toEqual(['overdue_orders', 'attempts', 'webhooks', 'cases', 'refunds', 'disputes', 'holds']);
  expect(await linesOf('paydesk_notifications_oldest_due_seconds')).toHaveLength(1);
  expect((await linesOf('paydesk_undecided')).map(valueOf)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  const alarms = await linesOf('paydesk_alarms');
  expect(alarms).toContain('paydesk_alarms{alarm="books_differ"} 0');
  expect(alarms).toHaveLength(alarmKinds.length);
});

/** The text of all files in a folder of the repository. */
async function textsIn(folder: string): Promise<string[]> {
  const path = fileURLToPath(new URL(`../../../../../${folder}/`, import.meta.url));
  return Promise.all((await readdir(path)).map((name) => readFile(join(path, name), 'utf8')));
}

/** Every figure that a process can serve, by name, also those that only a setting brings. */
async function everyFigure(): Promise<Map<string, { kind: string; help: string }>> {
  const figures = new Map<string, { kind: string; help: string }>();
  for (const line of await metrics()) {
    const [, what, name = '', text = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    const known = figures.get(name) ?? { kind: '', help: '' };
    if (what !== undefined) figures.set(name, { ...known, [what === 'HELP' ? 'help' : 'kind']: text });
  }
  const registry = new Registry();
  auditMetrics({ db: {} as Database, clock: new OffsetClock(), sink: { name: 'file' } }).register(registry);
  familyMetrics([], () => 0).register(registry);
  const tracing = startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  tracing?.register(registry);
  await tracing?.stop();
  for (const one of registry.getMetricsAsArray()) {
    const { name, help, type } = one as unknown as { name: string; help: string; type: string };
    figures.set(name, { kind: type, help });
  }
  return figures;
}

describe('what reads the figures', () => {
  test('H-24 the dashboards and alerts name only figures that are served', async () => {
    const served = [...(await everyFigure()).keys()];
    const texts = [...(await textsIn('deploy/grafana')), ...(await textsIn('deploy/prometheus'))].join('\n');
    const named = new Set(texts.match(/\b(paydesk|nodejs|process)_[a-z0-9_]+/g));
    const base = (name: string): string => name.replace(/_(bucket|count|sum)$/, '');
    expect([...named].filter((name) => !served.includes(name) && !served.includes(base(name)))).toEqual([]);
    expect(named.size).toBeGreaterThan(30);
  });

  test('H-24 the guide lists every figure, and no other', async () => {
    const [guide = ''] = (await textsIn('docs/operating')).filter((text) =>
      text.startsWith('# Traces and metrics'),
    );
    const listed = guide.split('\n').filter((line) => line.startsWith('| `paydesk_'));
    const rows = [...(await everyFigure())]
      .filter(([name]) => name.startsWith('paydesk_'))
      .map(([name, { kind, help }]) => `| \`${name}\` | ${kind} | ${help} |`);
    expect(listed).toEqual(rows.sort());
  });
});
