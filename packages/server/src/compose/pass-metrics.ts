/** The figures of background work for Prometheus: whether each loop's passes end, and how much they do. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Pass } from '../jobs/loop.ts';

export interface PassMetrics {
  /** The pass of a loop, with figures. `every_ms`: the longest planned time between two runs. */
  measured(name: string, every_ms: number, pass: Pass): Pass;
  /** The loop of this name rests, since nothing is due: that counts as a pass that has just ended. */
  rested(name: string): void;
  /** The loops begin to run. */
  start(): void;
  register(registry: Registry): void;
}

/** Measures passes by real time, so that a clock that is moved raises no alarm. */
export function passMetrics(): PassMetrics {
  const labelNames = ['pass'];
  const ended = new Map<string, number>();
  const ages = new Gauge({
    name: 'paydesk_pass_age_seconds',
    help: 'How long ago the last pass of a loop of background work ended without an error, the loop began, or the platform was last seen at rest.',
    labelNames,
    registers: [],
    collect() {
      for (const [pass, at] of ended) this.set({ pass }, (performance.now() - at) / 1_000);
    },
  });
  const intervals = new Gauge({
    name: 'paydesk_pass_interval_seconds',
    help: 'How long a loop of background work pauses when nothing is due.',
    labelNames,
    registers: [],
  });
  const passes = new Counter({
    name: 'paydesk_passes_total',
    help: 'Passes of background work of this process, by loop and outcome (ok, failed).',
    labelNames: [...labelNames, 'outcome'],
    registers: [],
  });
  const items = new Counter({
    name: 'paydesk_pass_items_total',
    help: 'What passes of background work processed in this process, by loop.',
    labelNames,
    registers: [],
  });
  const known = new Map<string, number>();
  return {
    measured(name, every_ms, pass) {
      known.set(name, every_ms);
      return async () => {
        try {
          const done = await pass();
          ended.set(name, performance.now());
          passes.inc({ pass: name, outcome: 'ok' });
          items.inc({ pass: name }, done);
          return done;
        } catch (error) {
          passes.inc({ pass: name, outcome: 'failed' });
          throw error;
        }
      };
    },
    rested(name) {
      ended.set(name, performance.now());
    },
    start() {
      for (const [pass, every_ms] of known) {
        ended.set(pass, performance.now());
        intervals.set({ pass }, every_ms / 1_000);
        for (const outcome of ['ok', 'failed']) passes.inc({ pass, outcome }, 0);
        items.inc({ pass }, 0);
      }
    },
    register(registry) {
      for (const metric of [ages, intervals, passes, items]) registry.registerMetric(metric);
    },
  };
}
