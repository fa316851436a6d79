import { connect, createServer, type Socket } from 'node:net';
import { get } from 'node:http';
import { listen, portOf } from './proxy.ts';

/** Between two looks at a process, and how long it may take to answer. */
const look_ms = 250;
const patience_ms = 2_000;

/**
 * A TCP balancer: each connection goes to the next process that is ready. If none is, it goes to any that listens, so
 * that clients get the service's own answer.
 */
export interface Balancer {
  port: number;
  /** Whether `/readyz` of this process answered 200 the last time. */
  isReady(port: number): boolean;
  /** Takes a process out before it stops, and back in. */
  drain(port: number, drained: boolean): void;
  close(): Promise<void>;
}

export async function openBalancer(backends: readonly number[], port = 0): Promise<Balancer> {
  const ready = new Set<number>();
  const drained = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  let closed = false;

  /** Those that are ready, then the others, each from the one after the last. */
  const candidates = (): number[] => {
    turn++;
    const inTurn = backends.map((_, i) => backends[(turn + i) % backends.length] ?? 0);
    const serving = inTurn.filter((backend) => !drained.has(backend));
    const isUp = (backend: number): boolean => ready.has(backend);
    return [...serving.filter(isUp), ...serving.filter((backend) => !isUp(backend))];
  };

  const server = createServer({ pauseOnConnect: true }, (near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near));
    near.on('error', () => undefined);
    void forward(near, candidates());
  });
  const watching = backends.map((backend) =>
    watch(
      backend,
      (isUp) => (isUp ? ready.add(backend) : ready.delete(backend)),
      () => closed,
    ),
  );
  await listen(server, port);
  return {
    port: portOf(server),
    isReady: (backend) => ready.has(backend),
    drain(backend, out) {
      if (out) drained.add(backend);
      else drained.delete(backend);
    },
    async close() {
      closed = true;
      const ended = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await Promise.all([ended, ...watching]);
    },
  };
}

/** Connects to the first that accepts. */
async function forward(near: Socket, backends: readonly number[]): Promise<void> {
  for (const backend of backends) {
    const far = await tryConnect(backend);
    if (far === null) continue;
    far.on('error', () => undefined);
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    far.pipe(near);
    near.pipe(far);
    return;
  }
  near.destroy();
}

function tryConnect(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      resolve(socket);
    });
    socket.once('error', () => {
      resolve(null);
    });
  });
}

async function watch(backend: number, seen: (isUp: boolean) => void, isClosed: () => boolean): Promise<void> {
  while (!isClosed()) {
    seen(await isReadyNow(backend));
    await new Promise((resolve) => setTimeout(resolve, look_ms));
  }
}

/** Whether `/readyz` answers 200 in time. */
export function isReadyNow(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: patience_ms });
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => {
      resolve(false);
    });
    request.once('close', () => {
      resolve(false);
    });
  });
}
