/** Measures how long a page of a signed-in person blocks a slow phone, from the browser's own trace. */
import type { Browser } from 'playwright-core';
import { BenchError } from '../bench-error.ts';
import { type Phone, screen } from './browser.ts';

/** An event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** The processor time of the thread: what other work of the machine takes does not count. */
  tdur?: number;
}

export interface Blocking {
  /** What each task after the first paint took beyond 50 ms, together. */
  blocking_ms: number;
  longest_task_ms: number;
}

const categories = ['disabled-by-default-devtools.timeline', 'loading'];

/**
 * Loads a page with an empty cache, and measures the processor time of its tasks until it is idle.
 *
 * @param session the session of the person, as a `Cookie` header
 * @param at_rest a selector that matches when the page has everything
 */
export async function measureBlocking(
  browser: Browser,
  url: string,
  { slower }: Phone,
  session: string,
  at_rest: string,
): Promise<Blocking> {
  const context = await browser.newContext(screen);
  try {
    const [name = '', value = ''] = session.split('=', 2);
    await context.addCookies([{ name, value, url: new URL(url).origin }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await browser.startTracing(page, { categories });
    await page.goto(url);
    await page.locator(at_rest).waitFor({ state: 'attached' });
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    return blockingOf(traceEvents);
  } finally {
    await context.close();
  }
}

export function blockingOf(events: readonly TraceEvent[]): Blocking {
  const paint = events.findLast(({ name }) => name === 'firstContentfulPaint');
  if (paint === undefined) throw new BenchError('The page painted nothing.');
  const times_ms = events
    .filter(({ name, ph, pid, tid, ts }) => {
      const isHere = pid === paint.pid && tid === paint.tid;
      return isHere && name === 'RunTask' && ph === 'X' && ts >= paint.ts;
    })
    .map(({ dur = 0, tdur = dur }) => tdur / 1_000);
  return {
    blocking_ms: times_ms.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
    longest_task_ms: Math.max(0, ...times_ms),
  };
}
