import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../db.ts';
import { sql } from '../sql.ts';
import { createOpening } from './opening-turns.ts';

const enterAll = (enter: ReturnType<typeof createOpening>, count: number, most_ms?: number) => {
  const sockets = Array.from({ length: count }, () => new Socket());
  const entered: number[] = [];
  const entering = sockets.map(async (socket, n) => {
    const leave = await enter(socket, most_ms);
    entered.push(n);
    return leave;
  });
  return { sockets, entered, entering };
};

test('D-505 connections are opened a few at a time, in the order they came', async () => {
  const { entered, entering } = enterAll(createOpening(2), 4);
  const leave = await entering[0];
  await entering[1];
  expect(entered).toEqual([0, 1]);
  leave?.();
  (await entering[2])?.();
  await entering[3];
  expect(entered).toEqual([0, 1, 2, 3]);
});

test('D-505 a connection that waits too long for its turn, or is closed meanwhile, gives its turn away', async () => {
  vi.useFakeTimers();
  const enter = createOpening(1);
  const first = await enter(new Socket(), undefined);
  const { sockets, entering } = enterAll(enter, 2, 1_000);
  const outcomes = Promise.allSettled(entering);
  sockets[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await outcomes).map((one) => String((one as PromiseRejectedResult).reason))).toEqual([
    'NotTriedError: Connection terminated: it was ended before its turn',
    'NotTriedError: Connection terminated: it had no turn in time',
  ]);
  first();
  expect(await enter(new Socket(), undefined)).toBeTypeOf('function');
  vi.useRealTimers();
});

test('D-505 a process that many callers ask opens three connections to a server that does not answer', async () => {
  const opened: Socket[] = [];
  const server = createServer((socket) => opened.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const db = openDatabase({
    url: `postgresql://paydesk@127.0.0.1:${port}/paydesk`,
    max: 10,
    connect_ms: 60_000,
  });
  const asked = Array.from({ length: 10 }, () =>
    db.query(sql`SELECT 1`).catch((error: unknown) => (error as { code: string }).code),
  );
  await vi.waitFor(() => {
    expect(opened).toHaveLength(3);
  });
  // It comes after all that were opened before it.
  const own = connect(port, '127.0.0.1');
  await vi.waitFor(() => {
    expect(opened.length).toBeGreaterThan(3);
  });
  expect(opened).toHaveLength(4);
  own.destroy();
  db.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['service_unavailable']));
  await db.close();
  for (const socket of opened) socket.destroy();
  server.close();
});
