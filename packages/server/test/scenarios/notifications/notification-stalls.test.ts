import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createHttpSender } from '../../../src/notifications/transport/http-sender.ts';
import { testAuthority } from '../../support/servers/tls.ts';

/** Lets this process stand still, as one that is suspended does. */
const standStill = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, ms));

test('D-764 an answer that came while the process stood still is no time-out', async () => {
  const timeout_ms = 2_000;
  const authority = await testAuthority();
  let asked = 0;
  let began = 0;
  const server = createServer(await authority.issue(), (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end(() => {
        // The connection is open by now, so the time of the second request is enough.
        if (++asked === 2) standStill(began + timeout_ms + 500 - performance.now());
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = await createHttpSender({ ca: authority.cert, connections: 1 });
  const post = async (most_ms: number) => {
    const url = new URL(`https://localhost:${port}/`);
    const request = { url, address: '127.0.0.1', headers: {}, body: Buffer.from('{}'), timeout_ms: most_ms };
    const { outcome, released } = sender.post(request);
    await released;
    return outcome;
  };
  expect(await post(60_000)).toEqual({ http_status: 204, error: null });
  began = performance.now();
  expect(await post(timeout_ms)).toEqual({ http_status: 204, error: null });
  await sender.close();
  server.close();
});
