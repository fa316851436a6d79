import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemIds } from '../base/ids.ts';
import { createHttp } from './server.ts';

const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };

/** Sends a request on a connection that is kept, and reads the head of its answer. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('D-401 a server that is replaced takes no connection, and answers what comes on kept ones a last time', async () => {
  const app = createHttp({ config, log: pino({ level: 'silent' }), ids: systemIds() });
  app.get('/a', () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const [used, fresh] = [await open(), await open()];
  expect(await ask(used)).not.toMatch(/connection: close/i);
  const left = app.leave(300_000);
  await expect(open()).rejects.toThrow('ECONNREFUSED');
  // Neither has been closed: both get an answer, which tells the client to open another.
  for (const socket of [used, fresh]) {
    const ended = once(socket, 'close');
    expect(await ask(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    await ended;
  }
  await left;
  await app.close();
});

test('D-401 it waits no longer for clients that keep a connection without using it', async () => {
  const app = createHttp({ config, log: pino({ level: 'silent' }), ids: systemIds() });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await ask(socket);
  await app.leave(1);
  const closed = once(socket, 'close');
  await app.close();
  await closed;
});

test('H-24 a connection on which nothing was ever sent does not hold up the stop', async () => {
  const app = createHttp({
    config,
    log: pino({ level: 'silent' }),
    ids: systemIds(),
    grace_ms: 3_600_000,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await app.close();
  await closed;
});
