/**
 * `checkout`: the time until a buyer with a slow phone sees the page, against a static page in turn with it;
 * its layout shift; and its long tasks. Then the same over a slow network, and what the first view weighs.
 */
import { type Bench, createOrders } from '../bench.ts';
import {
  type Load,
  loadOnPhone,
  slowPhone,
  slowPhoneOn3g,
  startBrowser,
  startStaticPage,
} from '../processes/browser.ts';
import type { Figure } from '../figures.ts';

/** Number of loads of each page. The result is their median. */
const loads = 11;

/** Loads over the slow network. Each takes seconds, and they differ little. */
const slowLoads = 5;

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export async function benchCheckout(bench: Bench): Promise<Figure[]> {
  const service = await bench.service();
  const [order] = await createOrders(bench, await bench.callers(), 1);
  if (order === undefined) throw new Error('no order was created');
  const { browser } = await bench.startOnce('the browser', startBrowser);
  const bare = await bench.startOnce('the static page', startStaticPage);
  const url = `${service.url}/checkout/${order.order_no}?token=${order.checkout_token}`;

  bench.say(`checkout: ${loads} loads on a slow phone, in turn with a static page`);
  const ours: Load[] = [];
  const theirs: Load[] = [];
  for (let i = -1; i < loads; i++) {
    bench.signal.throwIfAborted();
    const [static_page, page] = [
      await loadOnPhone(browser, bare.url, slowPhone),
      await loadOnPhone(browser, url, slowPhone, '.live'),
    ];
    // The first load of each page warms up the browser and the service.
    if (i < 0) continue;
    theirs.push(static_page);
    ours.push(page);
  }
  bench.say(`checkout: ${slowLoads} loads on slow 3G, processor six times slower`);
  const on3g: Load[] = [];
  for (let i = 0; i < slowLoads; i++) {
    bench.signal.throwIfAborted();
    on3g.push(await loadOnPhone(browser, url, slowPhoneOn3g, '.live'));
  }
  const paint = (all: readonly Load[]): number =>
    medianOf(all.map(({ first_contentful_paint_ms }) => first_contentful_paint_ms));
  const tasks = (all: readonly Load[]): number =>
    medianOf(all.map(({ long_tasks_ms }) => long_tasks_ms.length));
  return [
    {
      name: 'checkout.paint',
      what: 'first contentful paint of the checkout, processor four times slower',
      value: paint(ours),
      unit: 'ms',
      reference: { what: 'a static page', value: paint(theirs) },
    },
    {
      name: 'checkout.shift',
      what: 'layout shift in the worst load',
      value: Math.max(...ours.map(({ shift }) => shift)),
      unit: 'plain',
      reference: null,
    },
    {
      name: 'checkout.long-tasks',
      what: 'tasks of more than 50 ms per load, median',
      value: tasks(ours),
      unit: 'plain',
      reference: { what: 'a static page', value: tasks(theirs) },
    },
    ...firstView(on3g),
  ];
}

/** The first view over the slow network: when its largest part is there, and what it weighs. */
function firstView(loads: readonly Load[]): Figure[] {
  return [
    {
      name: 'checkout.largest-paint',
      what: 'largest contentful paint on slow 3G (400 kbit/s, 400 ms), processor six times slower, median',
      value: medianOf(loads.map(({ largest_contentful_paint_ms }) => largest_contentful_paint_ms)),
      unit: 'ms',
      reference: null,
    },
    {
      name: 'checkout.bytes',
      what: 'bytes of the first view on the wire, with headers and the event stream',
      value: Math.max(...loads.map(({ received_bytes }) => received_bytes)),
      unit: 'plain',
      reference: null,
    },
    {
      name: 'checkout.requests',
      what: 'requests of the first view, with the event stream',
      value: Math.max(...loads.map(({ requests }) => requests)),
      unit: 'plain',
      reference: null,
    },
  ];
}
