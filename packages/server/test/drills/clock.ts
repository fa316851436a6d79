import { setTimeout as pause } from 'node:timers/promises';
import { askOnce, type OneAnswer } from '../chaos/ask-once.ts';
import { until } from '../chaos/database-pair.ts';
import { start_ms } from '../chaos/desk.ts';
import type { CallKind } from '../chaos/history.ts';
import type { PaydeskProcess } from '../chaos/paydesk-process.ts';
import { fromAnywhere } from '../support/desks/platform.ts';
import type { Drill } from './drill.ts';
import { type LoadedScene, repeatedDeliveries, runUnderLoad } from './load.ts';

/**
 * Every process has a clock that is 90 s off, some ahead and some behind: first the clocks jump, then the processes start
 * with them. Orders are created, opened, paid, expired and delivered meanwhile. No request may fail, and no notification
 * may arrive twice (D-024).
 */
export const drill: Drill = {
  name: 'clock',
  bars: { failed: 0 },
  async run(options) {
    const desk = { webs: 2, workers: 2 };
    const { result, history, injected } = await runUnderLoad(options, { desk, lead_ms: 3_000 }, (scene) =>
      setClocksWrong(scene, options.log),
    );
    const told = (order_no: string): number =>
      history.receipts.filter((one) => one.order_no === order_no && one.order.status === 'expired').length;
    const silent = injected.expired.filter((order_no) => told(order_no) === 0);
    const repeated = repeatedDeliveries(history);
    return {
      ...result,
      lost: result.lost + silent.length,
      doubled: result.doubled + repeated,
      told: [
        `${injected.expired.length} orders expired, ${repeated} deliveries beyond the schedule`,
        ...result.told,
      ],
      problems: [...(result.problems ?? []), ...injected.problems],
    };
  },
};

interface Injected {
  /** The orders that the drill let expire. */
  expired: string[];
  problems: string[];
}

const off_ms = 90_000;
/** Processes in turn are ahead and behind, so that neighbours differ by three minutes. */
const offOf = (i: number): number => (i % 2 === 0 ? off_ms : -off_ms);

async function setClocksWrong(scene: LoadedScene, log: (line: string) => void): Promise<Injected> {
  const { processes } = scene.desk;
  const injected: Injected = { expired: [], problems: [] };
  log('the clocks jump by 90 s, ahead and behind in turn');
  for (const [i, one] of processes.entries()) await one.shiftClock(offOf(i));
  await expectAlarms(scene, processes.length, injected);
  await letOrdersExpire(scene, injected);
  log('every process starts again, with the clock of its neighbour');
  for (const [i, one] of processes.entries()) await startWrong(scene, one, offOf(i + 1));
  await expectAlarms(scene, processes.length, injected);
  await letOrdersExpire(scene, injected);
  log('the clocks are right again');
  for (const one of processes) await one.shiftClock(0);
  await scene.desk.untilReady(processes);
  await expectAlarms(scene, 0, injected);
  return injected;
}

/** From the end of new requests to the signal: those that run end meanwhile. */
const drain_ms = 2_000;

/** Replaces a process by one whose clock is off from the start on. */
async function startWrong({ desk }: LoadedScene, one: PaydeskProcess, clock_off_ms: number): Promise<void> {
  desk.balancer.drain(one.port, true);
  await pause(drain_ms);
  const { code } = await one.stop();
  if (code !== 0) desk.bad_stops.push(`${one.name} stopped with ${String(code)}`);
  await one.start(clock_off_ms);
  await until(async () => (await askOnce(`${urlOf(one)}/healthz`, 'GET', {})).status === 200, start_ms);
  desk.balancer.drain(one.port, false);
}

/** Waits until so many processes are not ready, and their alarms stand in the overview. */
async function expectAlarms({ desk }: LoadedScene, count: number, { problems }: Injected): Promise<void> {
  const isTold = async (): Promise<boolean> => {
    // On a busy machine it may be refused: then it is asked again.
    const overview = await desk
      .admin<{ alarms: { alarm: string }[] }>('GET', '/overview?time_zone=UTC')
      .catch(() => null);
    if (overview === null) return false;
    const ready = await Promise.all(desk.processes.map((one) => one.isReady()));
    const unready = ready.filter((isReady) => !isReady).length;
    return unready === count && overview.alarms.filter(({ alarm }) => alarm === 'clock_off').length === count;
  };
  await until(isTold, 20_000).catch(() => {
    problems.push(`there are not ${count} processes that are unready and have an alarm`);
  });
}

/** How many orders a phase lets expire, and for how long they can be paid, by the test clock. */
const shortOrders = 6;
const short_s = 60;

/** Creates orders at one process and opens them at the other, which must not end them; then their deadline passes. */
async function letOrdersExpire(scene: LoadedScene, { expired, problems }: Injected): Promise<void> {
  const { desk } = scene;
  const webs = desk.processes.filter(({ role }) => role === 'web');
  const made: string[] = [];
  for (let i = 0; i < shortOrders; i++) {
    const [near = desk.processes[0], far = near] = i % 2 === 0 ? webs : webs.toReversed();
    const order_no = await createShort(scene, near, far);
    if (order_no === null)
      problems.push(`an order of ${near.name} was dead after it was opened at ${far.name}`);
    else made.push(order_no);
  }
  await desk.admin('PUT', '/test-clock', { advance_seconds: short_s + 1 });
  for (const order_no of made) {
    const isExpired = async (): Promise<boolean> =>
      textOf((await read(scene, desk.processes[0], order_no)).body.status) === 'expired';
    await until(isExpired, 20_000).catch(() => problems.push(`${order_no} did not expire`));
  }
  expired.push(...made);
}

/** @returns the number of the order; null where it cannot be paid after it was opened */
async function createShort(
  scene: LoadedScene,
  near: PaydeskProcess,
  far: PaydeskProcess,
): Promise<string | null> {
  const { desk, history, inbox } = scene;
  const external_reference = `short-${history.calls.length}`;
  const key = `${external_reference}/1`;
  const answer = await merchantSend(scene, near, 'POST', '', {
    ...{ external_reference, idempotency_key: key, currency: 'USD', amount: '5.00', expires_in: short_s },
    ...inbox.targetOf(external_reference),
  });
  const order_no = textOf(answer.body.order_no);
  note(scene, 'create', answer, order_no, key);
  if (answer.status !== 201) return null;
  const token = new URL(textOf(answer.body.checkout_url)).searchParams.get('token') ?? '';
  const headers = { 'x-checkout-token': token, origin: desk.url, ...fromAnywhere() };
  const opened = await askOnce(`${urlOf(far)}/checkout/api/${order_no}`, 'GET', headers);
  note(scene, 'open', opened, order_no, key);
  const after = await read(scene, near, order_no);
  return opened.status === 200 && after.body.status === 'pending' ? order_no : null;
}

async function read(scene: LoadedScene, one: PaydeskProcess, order_no: string): Promise<OneAnswer> {
  const answer = await merchantSend(scene, one, 'GET', `/${order_no}`);
  note(scene, 'read', answer, order_no, '');
  return answer;
}

/** A call of the merchant's server to one process, past the balancer, which avoids processes that are not ready. */
function merchantSend(
  { platform }: LoadedScene,
  one: PaydeskProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<OneAnswer> {
  const client = platform.clients.shift();
  if (client === undefined) throw new Error('a merchant without clients');
  platform.clients.push(client);
  const headers = { authorization: `Bearer ${client.token}` };
  return askOnce(`${urlOf(one)}/openapi/v1/merchant-payments${path}`, method, headers, body);
}

function note(
  { history }: LoadedScene,
  kind: CallKind,
  { from_ms, to_ms, status, error }: OneAnswer,
  order_no: string,
  key: string,
): void {
  history.calls.push({ kind, client: 'drill', from_ms, to_ms, status, error, order_no, key });
}

const urlOf = ({ port }: PaydeskProcess): string => `http://127.0.0.1:${port}`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
