import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';

async function serve(html: string): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('the browser runs scripts and keeps its web security', async () => {
  const [browser, ours, other] = await Promise.all([
    launchBrowser(),
    serve('<title>waiting</title><script>document.title = "ready"</script>'),
    serve('of another origin'),
  ]);
  try {
    const page = await browser.newPage();
    await page.goto(ours.url);
    expect(await page.title()).toBe('ready');
    const reads = (url: string): Promise<boolean> =>
      page.evaluate(
        (address) =>
          fetch(address).then(
            () => true,
            () => false,
          ),
        url,
      );
    expect(await reads(ours.url)).toBe(true);
    expect(await reads(other.url)).toBe(false);
  } finally {
    await browser.close();
    ours.server.close();
    other.server.close();
  }
});
