/** `console`: how long the homes of both consoles block a slow phone, from the first paint until they are at rest. */
import { type Bench, createOrders } from '../bench.ts';
import type { Figure } from '../figures.ts';
import { type Blocking, measureBlocking } from '../processes/blocking.ts';
import { slowPhone, startBrowser } from '../processes/browser.ts';
import { addUser, signIn } from '../setup/platform.ts';

/** Number of loads of each home. The result is their median. */
const loads = 11;

const orders = 200;

/** The menu of the person takes the place of its button after the figures. */
const at_rest = 'button[aria-haspopup="menu"][id]';

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export async function benchConsole(bench: Bench): Promise<Figure[]> {
  const service = await bench.service();
  const { owner, one_merchant } = await bench.platform();
  await createOrders(bench, await bench.callersOfOne(), orders);
  const { browser } = await bench.startOnce('the browser', startBrowser);
  const homes = [
    { side: 'merchant', path: `/console/merchants/${one_merchant}`, person: owner },
    { side: 'platform', path: '/platform', person: await addUser(service.admin, 'admin', 'admin') },
  ];
  const figures: Figure[] = [];
  for (const { side, path, person } of homes) {
    bench.say(`console: ${loads} loads of the home of the ${side} console on a slow phone`);
    const session = await signIn(service, person);
    const seen: Blocking[] = [];
    for (let i = -1; i < loads; i++) {
      bench.signal.throwIfAborted();
      const blocking = await measureBlocking(browser, service.url + path, slowPhone, session, at_rest);
      // The first load warms up the browser and the service.
      if (i >= 0) seen.push(blocking);
    }
    figures.push(...figuresOf(side, seen));
  }
  return figures;
}

const figuresOf = (side: string, seen: readonly Blocking[]): Figure[] => [
  {
    name: `console.${side}.blocking`,
    what: `what tasks of the ${side}’s home take beyond 50 ms after the first paint, processor four times slower, median`,
    value: medianOf(seen.map(({ blocking_ms }) => blocking_ms)),
    unit: 'ms',
    reference: null,
  },
  {
    name: `console.${side}.longest-task`,
    what: 'its longest task, median',
    value: medianOf(seen.map(({ longest_task_ms }) => longest_task_ms)),
    unit: 'ms',
    reference: null,
  },
];
