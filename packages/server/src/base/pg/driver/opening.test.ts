import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createOpening } from './opening.ts';

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

test('H-25 connections are opened a few at a time, in the order they came', async () => {
  const { entered, entering } = enterAll(createOpening(2), 4);
  const leave = await entering[0];
  await entering[1];
  expect(entered).toEqual([0, 1]);
  leave?.();
  (await entering[2])?.();
  await entering[3];
  expect(entered).toEqual([0, 1, 2, 3]);
});

test('H-25 a connection that waits too long for its turn, or is closed meanwhile, gives its turn away', async () => {
  vi.useFakeTimers();
  const enter = createOpening(1);
  const first = await enter(new Socket(), undefined);
  const { sockets, entering } = enterAll(enter, 2, 1_000);
  const outcomes = Promise.allSettled(entering);
  sockets[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await outcomes).map((one) => String((one as PromiseRejectedResult).reason))).toEqual([
    'Error: Connection terminated before it was opened',
    'Error: timeout exceeded when trying to connect',
  ]);
  first();
  expect(await enter(new Socket(), undefined)).toBeTypeOf('function');
  vi.useRealTimers();
});
