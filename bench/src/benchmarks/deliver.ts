/** The benchmarks of notifications: `deliver`, `first-attempt`, `fairness` and `backlog`. */
import { type Bench, checkpoint } from '../bench.ts';
import {
  measureBarePosting,
  notifyingCreation,
  notifyingRow,
  createPatternEvents,
  storeCopies,
} from '../setup/events.ts';
import type { Figure } from '../figures.ts';
import { watchMemory } from '../processes/memory-watch.ts';
import type { Received } from '../processes/receivers.ts';

/** Number of requests that the bare poster has open at the same time. */
const concurrency = 64;
/** Number of notifications of the benchmark `deliver`. */
const burst = 20_000;
const backlog = 100_000;
const orders_per_second = 200;

const patterns = (bench: Bench): Promise<string[]> =>
  bench.once('pattern events', () => createPatternEvents(bench));

/** Stores overdue notifications and waits until all of them are delivered. */
async function deliverOverdue(bench: Bench, count: number): Promise<Received> {
  const receivers = await bench.receivers();
  const order_nos = await patterns(bench);
  await receivers.reset();
  await storeCopies(bench, order_nos, count, receivers.healthy);
  return receivers.waitFor(count);
}

/**
 * Warms up the deliveries: the first ones are slow, because code is not compiled and no connection is open.
 */
const warmUpDeliveries = (bench: Bench): Promise<unknown> =>
  bench.once('warm deliveries', () => deliverOverdue(bench, 2_000));

/** `deliver`: notifications delivered per second by one process, against bare signing and posting. */
export async function benchDeliver(bench: Bench): Promise<Figure[]> {
  const half = Math.max(2, bench.seconds / 2);
  bench.say('deliver: warming up');
  await warmUpDeliveries(bench);
  bench.say('deliver: between two halves of bare signing and posting');
  const before = await measureBarePosting(bench, half, concurrency);
  await checkpoint(bench);
  const service = await bench.service();
  const cpu_before = await service.cpuTime();
  const { rate } = await deliverOverdue(bench, burst);
  const cpu_after = await service.cpuTime();
  const after = await measureBarePosting(bench, half, concurrency);
  const cpu_ms = cpu_before === null || cpu_after === null ? NaN : (cpu_after - cpu_before) / burst;
  const delivered = {
    what: 'notifications delivered by one process',
    value: rate,
    unit: 'per second',
  } as const;
  return [
    {
      ...delivered,
      name: 'deliver.rate',
      reference: { what: `bare signing and posting, ${concurrency} at once`, value: (before + after) / 2 },
    },
    { ...delivered, name: 'deliver.rate.limit', reference: null },
    {
      name: 'deliver.cpu',
      what: 'CPU time of the service per notification',
      value: cpu_ms,
      unit: 'ms',
      reference: null,
    },
  ];
}

/** Creates orders at a constant rate. Each sends its first notification to one of the addresses, in turn. */
async function createNotifyingOrders(bench: Bench, urls: readonly string[]): Promise<number> {
  const { seconds } = bench;
  const count = Math.ceil(orders_per_second * (seconds + 1));
  const callers = await (await bench.callers()).forCreations(count);
  const result = await bench.load(await bench.service(), {
    connections: 32,
    pace: { kind: 'constant', per_second: orders_per_second, warm_up_s: 1, seconds },
    template: notifyingCreation,
    rows: callers.map((caller, i) => notifyingRow(caller, urls[i % urls.length] ?? '')),
    repeat: false,
    expect: 201,
    keep: [],
  });
  return result.all_answers;
}

/** `first-attempt`: the time from the status change to the first attempt, at a constant rate of orders. */
export async function benchFirstAttempt(bench: Bench): Promise<Figure[]> {
  const receivers = await bench.receivers();
  await warmUpDeliveries(bench);
  bench.say(`first-attempt: ${orders_per_second} orders per second`);
  await receivers.reset();
  const count = await createNotifyingOrders(bench, receivers.healthy);
  const { p50_ms, p95_ms } = await receivers.waitFor(count);
  const reference = null;
  const what = `from status change to first attempt, ${orders_per_second} orders per second`;
  return [
    { name: 'first-attempt.p50', what: `median ${what}`, value: p50_ms, unit: 'ms', reference },
    { name: 'first-attempt.p95', what: `p95 ${what}`, value: p95_ms, unit: 'ms', reference },
  ];
}

/**
 * `fairness`: the same while one destination of ten accepts notifications and does not answer for 8 seconds.
 */
export async function benchFairness(bench: Bench): Promise<Figure[]> {
  const receivers = await bench.receivers();
  const { healthy, hanging } = receivers;
  await warmUpDeliveries(bench);
  bench.say('fairness: one destination of ten hangs');
  await receivers.reset();
  const urls = [...healthy.slice(0, 9 * hanging.length), ...hanging];
  const count = await createNotifyingOrders(bench, urls);
  const { p50_ms, p95_ms } = await receivers.waitFor(Math.floor(count * 0.899));
  const reference = null;
  const what = 'of healthy receivers while 10 % of the destinations hang';
  return [
    { name: 'fairness.p50', what: `median ${what}`, value: p50_ms, unit: 'ms', reference },
    { name: 'fairness.p95', what: `p95 ${what}`, value: p95_ms, unit: 'ms', reference },
  ];
}

/** `backlog`: the rate of a long backlog, and whether the memory of the process grows with it. */
export async function benchBacklog(bench: Bench): Promise<Figure[]> {
  const service = await bench.service();
  bench.say(`backlog: ${backlog.toLocaleString('en')} overdue notifications`);
  await warmUpDeliveries(bench);
  const { result, halves_mb } = await watchMemory(service, () => deliverOverdue(bench, backlog));
  const { rate } = result;
  return [
    {
      name: 'backlog.rate',
      what: `notifications delivered per second out of ${backlog.toLocaleString('en')} overdue`,
      value: rate,
      unit: 'per second',
      reference: null,
    },
    {
      name: 'backlog.memory',
      what: 'peak memory of the service in the second half',
      value: halves_mb[1],
      unit: 'MB',
      reference: { what: 'in the first half', value: halves_mb[0] },
    },
  ];
}
