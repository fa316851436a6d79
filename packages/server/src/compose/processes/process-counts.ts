/** The metrics of the first process of several, for Prometheus. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** `paydesk_processes` and `paydesk_process_starts_total`. */
export function familyMetrics(
  names: readonly string[],
  running: () => number,
): { started(name: string): void; register(registry: Registry): void } {
  const starts = new Counter({
    name: 'paydesk_process_starts_total',
    help: 'Processes that `serve --processes` has started, by name.',
    labelNames: ['name'],
    registers: [],
  });
  for (const name of names) starts.inc({ name }, 0);
  const processes = new Gauge({
    name: 'paydesk_processes',
    help: 'Processes of `serve --processes` that serve or work now.',
    registers: [],
    collect() {
      this.set(running());
    },
  });
  return {
    started(name) {
      starts.inc({ name });
    },
    register(registry) {
      for (const metric of [starts, processes]) registry.registerMetric(metric);
    },
  };
}
