import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchingSocket } from './batching-socket.ts';

const received: Buffer[] = [];
const server = createServer((peer) => peer.on('data', (chunk: Buffer) => received.push(chunk)));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
});

test('what a connected socket is given in one tick is held until the tick is over, and arrives in order', async () => {
  const socket = batchingSocket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');

  socket.write('BEGIN;');
  socket.cork();
  socket.write('SELECT 1;');
  socket.uncork();
  await Promise.resolve();
  socket.write('SELECT 2;');
  expect([socket.writableCorked, socket.bytesWritten, socket.writableLength]).toEqual([1, 24, 24]);

  await turn();
  expect([socket.writableCorked, socket.writableLength]).toEqual([0, 0]);
  socket.end();
  await once(socket, 'close');
  expect(Buffer.concat(received).toString()).toBe('BEGIN;SELECT 1;SELECT 2;');
});
