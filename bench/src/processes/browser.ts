/// <reference lib="dom" />
/** Starts Chromium and measures how it loads a page, as on a slow phone. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium as playwright,
} from 'playwright-core';
import { BenchError } from '../bench-error.ts';
import { findProgram } from './programs.ts';

/** The path of Chromium, found as in the tests. */
function findChromium(): string {
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const path = process.env.PAYDESK_CHROMIUM ?? findProgram(names);
  if (path === undefined)
    throw new BenchError('The benchmarks "checkout" and "console" need Chromium: "npm test" installs it.');
  return path;
}

export interface RunningBrowser {
  browser: Browser;
  stop(): Promise<void>;
}

/** Starts the browser. As root, it runs without a sandbox, because Chromium requires that. */
export async function startBrowser(): Promise<RunningBrowser> {
  const browser = await playwright.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  });
  return { browser, stop: () => browser.close() };
}

/** A page without style, script, image or server logic: the minimum for a browser. */
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

/** The measurements of one load of a page. */
export interface Load {
  first_contentful_paint_ms: number;
  largest_contentful_paint_ms: number;
  /** Bytes of all responses with their headers, as they were on the wire. */
  received_bytes: number;
  requests: number;
  /** The sum of all layout shifts. The page’s score cannot be worse. */
  shift: number;
  /** Duration of each task that blocked for more than 50 ms. */
  long_tasks_ms: number[];
}

interface Seen {
  shift: number;
  largest_ms: number;
  tasks: number[];
}

/** What a page is loaded with: how many times slower the processor is, and the network. */
export interface Phone {
  slower: number;
  /** Null for loopback as it is. */
  network: { latency: number; downloadThroughput: number; uploadThroughput: number } | null;
}

export const slowPhone: Phone = { slower: 4, network: null };

/** The screen of a phone. */
export const screen: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  locale: 'en',
};

const slow3g_bytes_s = 400_000 / 8;

/** A processor six times slower, behind 400 kbit/s that answer after 400 ms. */
export const slowPhoneOn3g: Phone = {
  slower: 6,
  network: { latency: 400, downloadThroughput: slow3g_bytes_s, uploadThroughput: slow3g_bytes_s },
};

/**
 * Loads a page like a phone with an empty cache, and measures it until it is idle.
 *
 * @param at_rest a selector that matches after the page’s script has run; absent if the page has no script
 */
export async function loadOnPhone(
  browser: Browser,
  url: string,
  phone: Phone,
  at_rest?: string,
): Promise<Load> {
  const context = await browser.newContext(screen);
  try {
    await context.addInitScript(observePage);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const wire = await countBytes(devtools);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: phone.slower });
    if (phone.network !== null) {
      await devtools.send('Network.emulateNetworkConditions', { offline: false, ...phone.network });
    }
    await page.goto(url, { waitUntil: 'load' });
    const measured = await runInPage(devtools, readLoad, at_rest ?? null);
    const sizes = [...wire.values()];
    return { ...measured, received_bytes: sizes.reduce((sum, one) => sum + one, 0), requests: sizes.length };
  } finally {
    await context.close();
  }
}

/** The bytes of each response by its request, as they arrive. An open event stream counts with what has arrived. */
async function countBytes(devtools: CDPSession): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  const add = (id: string, length: number): void => {
    bytes.set(id, (bytes.get(id) ?? 0) + length);
  };
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.startsWith('data:')) add(requestId, 0);
  });
  const ofPage = (id: string, length: number): void => {
    if (bytes.has(id)) add(id, length);
  };
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    ofPage(requestId, response.encodedDataLength);
  });
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    ofPage(requestId, encodedDataLength);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (bytes.has(requestId)) bytes.set(requestId, encodedDataLength);
  });
  await devtools.send('Network.enable');
  return bytes;
}

/** Runs in the page before the page’s own scripts. */
function observePage(): void {
  const found: Seen = { shift: 0, largest_ms: NaN, tasks: [] };
  Object.assign(globalThis, { benchSaw: found });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.largest_ms = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) found.tasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });
}

/**
 * Runs a function in the page without Playwright’s helpers: parsing these helpers would be the longest task
 * of all.
 */
async function runInPage<A, R>(
  devtools: CDPSession,
  run: (argument: A) => Promise<R>,
  argument: A,
): Promise<R> {
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

/**
 * Runs in the page at the end: waits for its script, two frames, an idle period and the entries of its paints, which come
 * after the frame that they measure; then reads the measurements.
 */
async function readLoad(at_rest: string | null): Promise<Omit<Load, 'received_bytes' | 'requests'>> {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  while (at_rest !== null && document.querySelector(at_rest) === null) {
    if (performance.now() > 30_000) throw new Error(`${at_rest} did not appear in the page`);
    await pause();
  }
  await frame();
  await frame();
  await new Promise((resolve) => requestIdleCallback(resolve));
  const seen = (globalThis as unknown as { benchSaw: Seen }).benchSaw;
  const firstPaint = (): number =>
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
  while (Number.isNaN(firstPaint()) || Number.isNaN(seen.largest_ms)) {
    if (performance.now() > 60_000) throw new Error('the page was not painted');
    await pause();
  }
  return {
    first_contentful_paint_ms: firstPaint(),
    largest_contentful_paint_ms: seen.largest_ms,
    shift: seen.shift,
    long_tasks_ms: seen.tasks,
  };
}
