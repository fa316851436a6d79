import { createServer } from 'node:net';

/**
 * Below the ports that a system gives to outgoing connections and to listeners that leave the choice to it (from 32,768 on
 * Linux), so that no other process gets one between this question and its use. Browsers refuse none of these.
 */
const lowest = 11_000;
const perWorker = 1_300;
const workers = 16;

/** Each worker of a test run has ports of its own, and begins at another one than the last process did. */
const first = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % workers) * perWorker;
let turn = process.pid * 37;

/** A TCP port of the loopback address that is free. It gives others before it gives the same again. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < perWorker; tries++) {
    const port = first + (turn++ % perWorker);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${first} on`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
