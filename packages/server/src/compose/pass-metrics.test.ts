import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passMetrics } from './pass-metrics.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('H-24 the age of a pass grows until one ends without an error', async () => {
  const registry = new Registry();
  const metrics = passMetrics();
  metrics.register(registry);
  const found = [() => Promise.resolve(3), () => Promise.reject(new Error('no database'))];
  const pass = metrics.measured('sweep', 60_000, () => found.shift()?.() ?? Promise.resolve(0));
  const figures = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  expect(await figures()).toEqual([]);
  metrics.start();
  vi.advanceTimersByTime(90_000);
  expect(await figures()).toContain('paydesk_pass_age_seconds{pass="sweep"} 90');
  expect(await figures()).toContain('paydesk_pass_interval_seconds{pass="sweep"} 60');
  await pass();
  vi.advanceTimersByTime(10_000);
  await expect(pass()).rejects.toThrow('no database');
  expect(await figures()).toEqual([
    'paydesk_pass_age_seconds{pass="sweep"} 10',
    'paydesk_pass_interval_seconds{pass="sweep"} 60',
    'paydesk_passes_total{pass="sweep",outcome="ok"} 1',
    'paydesk_passes_total{pass="sweep",outcome="failed"} 1',
    'paydesk_pass_items_total{pass="sweep"} 3',
  ]);
});
