/** The waiting work of all processes together, and the alarms of the platform's overview, for Prometheus. */
import { alarmKinds } from '@paydesk/contract';
import { Gauge, type Registry } from 'prom-client';
import { readStanding, type Standing, type StandingDeps } from '../admin/overview/standing.ts';
import { decisionKinds, queues } from '../admin/overview/work.ts';
import { cachedRead } from '../base/caches/cached-gauges.ts';

/** How long figures from the database are reused: each counts a queue merchant by merchant. */
const cache_ms = 30_000;

/** Notifications have separate gauges. */
const shownQueues = queues.filter((queue) => queue !== 'notifications');

export function workMetrics(deps: StandingDeps): { register(registry: Registry): void } {
  const read = cachedRead(cache_ms, () => readStanding(deps));
  const gauge = (name: string, help: string, label: string, figures: (now: Standing) => Figures): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        const now = await read();
        this.reset();
        if (now !== null) for (const [key, value] of figures(now)) this.set({ [label]: key }, value);
      },
    });
  const all = [
    gauge('paydesk_queue_due', 'Due items of a queue of background work.', 'queue', ({ work }) =>
      shownQueues.map((queue) => [queue, work.queues[queue].due]),
    ),
    gauge(
      'paydesk_queue_oldest_due_seconds',
      'How long the oldest due item of a queue of background work has been due, in seconds; 0 if none is.',
      'queue',
      ({ work }) => shownQueues.map((queue) => [queue, ageOf(work, work.queues[queue].oldest_at)]),
    ),
    gauge('paydesk_undecided', 'What waits for a person, by kind.', 'kind', ({ work }) =>
      decisionKinds.map((kind) => [kind, work.undecided[kind].due]),
    ),
    gauge(
      'paydesk_undecided_oldest_seconds',
      'How long the oldest of what waits for a person has waited, in seconds; 0 if nothing waits.',
      'kind',
      ({ work }) => decisionKinds.map((kind) => [kind, ageOf(work, work.undecided[kind].oldest_at)]),
    ),
    gauge(
      'paydesk_alarms',
      'Alarms of the platform’s overview that stand now, by kind.',
      'alarm',
      ({ alarms }) => alarmKinds.map((kind) => [kind, alarms.filter(({ alarm }) => alarm === kind).length]),
    ),
  ];
  return {
    register(registry) {
      for (const metric of all) registry.registerMetric(metric);
    },
  };
}

type Figures = (readonly [key: string, value: number])[];

const ageOf = ({ now }: Standing['work'], since: Date | null): number =>
  since === null ? 0 : Math.max((now.getTime() - since.getTime()) / 1_000, 0);
