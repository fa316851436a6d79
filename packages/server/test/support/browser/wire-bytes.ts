/** Counts what a page loads, as it was on the wire. */
import type { Page } from 'playwright-core';

/** The bytes of each response, with its headers, by its path. An open event stream counts with what has arrived. */
export async function countBytes(page: Page): Promise<{ bytes: Map<string, number> }> {
  const devtools = await page.context().newCDPSession(page);
  const bytes = new Map<string, number>();
  const paths = new Map<string, string>();
  const arrived = new Map<string, number>();
  const set = (id: string, length: number): void => {
    arrived.set(id, length);
    const path = paths.get(id);
    if (path !== undefined) bytes.set(path, length);
  };
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { protocol, pathname } = new URL(request.url);
    if (protocol === 'data:') return;
    paths.set(requestId, pathname);
    set(requestId, 0);
  });
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    set(requestId, (arrived.get(requestId) ?? 0) + response.encodedDataLength);
  });
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    set(requestId, (arrived.get(requestId) ?? 0) + encodedDataLength);
  });
  // Its count is the final one.
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    set(requestId, encodedDataLength);
  });
  await devtools.send('Network.enable');
  return { bytes };
}
