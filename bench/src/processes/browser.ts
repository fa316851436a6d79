/// <reference lib="dom" />
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Browser, type CDPSession, chromium as playwright } from 'playwright-core';
import { BenchError } from '../bench-error.ts';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where the browser is: Chromium as the tests use it. */
function chromium(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const dirs = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== '');
  const path =
    process.env.PAYDESK_CHROMIUM ??
    names.flatMap((name) => dirs.map((dir) => join(dir, name))).find(isExecutable);
  if (path === undefined)
    throw new BenchError('The benchmark "checkout" needs Chromium: "npm test" installs it.');
  return path;
}

export interface RunningBrowser {
  browser: Browser;
  stop(): Promise<void>;
}

/** Starts the browser. It has no sandbox where root runs it, because it refuses to have one there. */
export async function startBrowser(): Promise<RunningBrowser> {
  const browser = await playwright.launch({
    executablePath: chromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  });
  return { browser, stop: () => browser.close() };
}

/** A page without style, script, image or server logic: the least that a browser can be asked to paint. */
const staticPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Static</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
<h1>Payment to a shop</h1><p>USD 10.00</p><p>Two tickets for Saturday</p><button>Pay USD 10.10</button>
</body></html>`;

/** Serves that page. */
export async function startStaticPage(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(staticPage);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** What a browser saw of one load of a page. */
export interface Load {
  first_contentful_paint_ms: number;
  /** The sum of all layout shifts: the worst that the page's score can be. */
  shift: number;
  /** How long each task that blocked for more than 50 ms took. */
  long_tasks_ms: number[];
}

interface Seen {
  shift: number;
  tasks: number[];
}

/**
 * Loads a page on a phone with an empty cache and a processor four times slower than this machine's, and watches it
 * until it is at rest.
 *
 * @param at_rest a selector of what is there once the page's script has run; absent where it has none
 */
export async function loadOnPhone(browser: Browser, url: string, at_rest?: string): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en',
  });
  try {
    await context.addInitScript(watch);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(url, { waitUntil: 'load' });
    return await inPage(devtools, seen, at_rest ?? null);
  } finally {
    await context.close();
  }
}

/** Runs in the page before anything of its own. */
function watch(): void {
  const found: Seen = { shift: 0, tasks: [] };
  Object.assign(globalThis, { benchSaw: found });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.tasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });
}

/**
 * Runs a function in the page by itself: what Playwright puts into a page for its own calls is so long that reading it
 * is the longest task of all.
 */
async function inPage<A, R>(devtools: CDPSession, run: (argument: A) => Promise<R>, argument: A): Promise<R> {
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
    expression: `(${run.toString()})(${JSON.stringify(argument)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) {
    throw new BenchError(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value as R;
}

/** Runs in the page at the end: once its script has run, and two frames and an idle moment have gone by. */
async function seen(at_rest: string | null): Promise<Load> {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  while (at_rest !== null && document.querySelector(at_rest) === null) {
    if (performance.now() > 30_000) throw new Error(`the page never came to have ${at_rest}`);
    await pause();
  }
  await frame();
  await frame();
  await new Promise((resolve) => requestIdleCallback(resolve));
  const { shift, tasks } = (globalThis as unknown as { benchSaw: Seen }).benchSaw;
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return { first_contentful_paint_ms: paint?.startTime ?? NaN, shift, long_tasks_ms: tasks };
}
