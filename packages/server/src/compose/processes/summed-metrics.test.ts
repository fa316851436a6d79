import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createTotals, type Figures, growingFigures } from './summed-metrics.ts';

/** The figures of a process as they come over its channel. */
async function figuresOf(requests: number, busy: number): Promise<Figures> {
  return JSON.parse(JSON.stringify(await registryOf(requests, busy).getMetricsAsJSON())) as Figures;
}

function registryOf(requests: number, busy: number): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'r', labelNames: ['route'], registers }).inc(
    { route: '/a' },
    requests,
  );
  new Gauge({ name: 'busy', help: 'b', registers, aggregator: 'omit' }).set(busy);
  new Histogram({ name: 'took', help: 't', buckets: [1], registers }).observe(requests);
  return registry;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => /^[a-z]/.test(line));

test('D-402 counters and histograms are added up, gauges are shown for each process', async () => {
  const totals = createTotals();
  const text = await totals.text([
    { process: 'web 1', figures: await figuresOf(3, 1) },
    { process: 'web 2', figures: await figuresOf(0.5, Number.NaN) },
    { process: null, figures: await figuresOf(4, 7) },
  ]);
  expect(linesOf(text)).toEqual([
    'requests_total{route="/a"} 7.5',
    'busy{process="web 1"} 1',
    'busy{process="web 2"} Nan',
    'took_bucket{le="1"} 1',
    'took_bucket{le="+Inf"} 3',
    'took_sum 7.5',
    'took_count 3',
  ]);
});

test('D-402 what ended processes have counted stays, so that no counter falls', async () => {
  const totals = createTotals();
  const [first, second] = [{}, {}];
  totals.note(first, await figuresOf(3, 1));
  totals.note(first, await growingFigures(registryOf(5, 1)));
  totals.note(second, await figuresOf(2, 1));
  await totals.keep(first);
  expect(totals.lastOf(second).map(({ name }) => name)).toEqual(['requests_total', 'took']);
  await totals.keep(second);
  await totals.keep({});
  const text = await totals.text([{ process: 'web 3', figures: await figuresOf(1, 0) }]);
  expect(linesOf(text)).toEqual(
    expect.arrayContaining(['requests_total{route="/a"} 8', 'busy{process="web 3"} 0', 'took_count 3']),
  );
});
