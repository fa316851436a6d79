/** Counts the lines of this process's log that were lost, for Prometheus. */
import { Counter, type Registry } from 'prom-client';
import { type Logger, type LogLosses, readLosses } from '../base/log.ts';

/** `paydesk_log_lines_dropped_total` and `paydesk_log_lines_repeated_total`. */
export function logMetrics(log: Logger): { register(registry: Registry): void } {
  const counter = (name: string, help: string, figure: (losses: LogLosses) => number): Counter =>
    new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(figure(readLosses(log)));
      },
    });
  const all = [
    counter(
      'paydesk_log_lines_dropped_total',
      'Log lines that were dropped, because the log could not be written.',
      ({ dropped }) => dropped,
    ),
    counter(
      'paydesk_log_lines_repeated_total',
      'Log lines that repeated others, and were counted only.',
      ({ repeated }) => repeated,
    ),
  ];
  return {
    register(registry) {
      for (const metric of all) registry.registerMetric(metric);
    },
  };
}
