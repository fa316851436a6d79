/** Receivers and connections that misbehave in time: what they may hold up, and what not. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { fetchBytes } from '../../../src/notifications/transport/fetch-bytes.ts';
import { createHttpSender, type HttpSender } from '../../../src/notifications/transport/http-sender.ts';
import { testAuthority } from '../../support/servers/tls.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function listen(server: Server): Promise<number> {
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A sender, and how it posts to a port of this machine. */
async function senderTo(port: number, ca: string) {
  const sender: HttpSender = await createHttpSender({ ca, connections: 1, connect_ms: 60_000 });
  opened.push(sender);
  const url = new URL(`https://localhost:${port}/`);
  return (timeout_ms: number) =>
    sender.post({ url, address: '127.0.0.1', headers: {}, body: Buffer.from('{}'), timeout_ms });
}

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
  const start = await senderTo(await listen(server), authority.cert);
  const post = async (most_ms: number) => {
    const { outcome, released } = start(most_ms);
    await released;
    return outcome;
  };
  expect(await post(60_000)).toEqual({ http_status: 204, error: null });
  began = performance.now();
  expect(await post(timeout_ms)).toEqual({ http_status: 204, error: null });
});

test('D-1072 a post that had little time left takes none from the next one on the same connections', async () => {
  const authority = await testAuthority();
  const receiver = createServer(await authority.issue(), (request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  const port = await listen(receiver);
  /** Connections that have not been let through to the receiver. */
  const held: Socket[] = [];
  const gate = createTcpServer((socket) => void held.push(socket.on('error', () => undefined)));
  const post = await senderTo(await listen(gate), authority.cert);
  const hurried = post(50);
  expect(await hurried.outcome).toEqual({ http_status: null, error: 'timeout' });
  while (held.length === 0) await once(gate, 'connection');
  held.pop()?.destroy();
  await hurried.released;

  const patient = post(60_000);
  await once(gate, 'connection');
  // Longer than the first one had: as long as another post needs to give up, which has more time than the timers of connections are coarse.
  expect(
    await (
      await senderTo(await listen(createTcpServer()), authority.cert)
    )(2_000).outcome,
  ).toMatchObject({
    error: 'timeout',
  });
  for (const socket of held)
    socket.pipe(connect(port, '127.0.0.1').on('error', () => undefined)).pipe(socket);
  expect(await patient.outcome).toEqual({ http_status: 204, error: null });
});

test('D-1073 a receiver that answers with informational responses without end is cut off', async () => {
  const authority = await testAuthority();
  const flood = createTlsServer(await authority.issue(), (socket) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
    const more = (error?: Error | null): void => {
      if (error == null) socket.write(hints, more);
    };
    socket
      .on('error', () => undefined)
      .once('data', () => {
        more();
      });
  });
  const port = await listen(flood);
  const { outcome, released } = (await senderTo(port, authority.cert))(60_000);
  expect(await outcome).toEqual({ http_status: null, error: 'http_error' });
  await released;
  const fetched = await fetchBytes(new URL(`https://127.0.0.1:${port}/`), {
    resolver: () => Promise.reject(new Error('no names')),
    ...{ allow_cidrs: ['127.0.0.1/32'], ca: authority.cert, headers: {}, max_bytes: 10, timeout_ms: 60_000 },
  });
  expect(fetched).toEqual({ kind: 'unreachable', problem: 'no_connection' });
});
