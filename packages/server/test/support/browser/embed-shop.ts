import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { testAuthority } from '../servers/tls.ts';

/** A page of another site, served over HTTPS on this machine. */
export interface EmbedSite {
  /** Such as `https://localhost:41234`. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves one page at each path. Its policy allows only what docs/checkout.md asks merchants to allow, and the page's own
 * script.
 *
 * @param paydesk the address of the service
 * @param pages the bodies by path
 */
export async function startEmbedSite(
  paydesk: string,
  pages: Readonly<Record<string, string>>,
): Promise<EmbedSite> {
  const { cert, key } = await (await testAuthority()).issue();
  const { origin } = new URL(paydesk);
  const policy = `default-src 'none'; script-src ${origin} 'nonce-own'; frame-src ${origin} https://localhost:*; style-src 'nonce-own'`;
  const server: Server = createServer({ cert, key }, (request, response) => {
    const body = pages[(request.url ?? '').split('?')[0] ?? ''];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/**
 * A merchant's page with a button that opens a checkout, and a record of the messages that it receives: `heard` has every message of a
 * window, `paid` and `over` what the script calls back.
 */
export const shopPage = (
  paydesk: string,
  checkout_url: string,
  attributes = 'lang="en"',
): string => `<!doctype html>
<html ${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lantern Books</title>
<style nonce="own">body { margin: 0 auto; max-width: 60rem; padding: 2rem; font: 1rem/1.5 Georgia, serif; min-height: 150vh }
button { font: inherit; padding: .5rem 1rem } dialog, iframe, button { border: 9px dashed red }</style>
<script src="${paydesk}/embed/v1.js"></script>
</head>
<body>
<h1>Your basket</h1><p>The Art of the Ledger, paperback</p>
<button id="pay">Pay now</button>
<script nonce="own">
  window.heard = []; window.paid = []; window.over = [];
  addEventListener('message', ({ origin, data }) => heard.push({ origin, data }));
  document.getElementById('pay').addEventListener('click', () => {
    window.checkout = Paydesk.open({
      checkout_url: ${JSON.stringify(checkout_url)},
      onPaid: (result) => paid.push(result),
      onClosed: (result) => over.push(result),
    });
  });
</script>
</body></html>`;
