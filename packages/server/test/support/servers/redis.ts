import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnBound } from '../../../src/embedded/processes.ts';
import { serverUser } from '../../../src/embedded/run-as.ts';
import { freePort } from './ports.ts';
import { temporaryDirectory } from '../run/temporary.ts';
import { redisServer } from '../run/tools.ts';

export interface Redis {
  url: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a Redis of its own on a free port, in memory alone; it ends with this process. */
export async function startRedis(port?: number): Promise<Redis> {
  const at = port ?? (await freePort());
  const home = await temporaryDirectory('redis');
  const args = ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawnBound(redisServer(), [...args, '--dir', home.path], {
    user: serverUser(home.path),
    cwd: home.path,
    stdio: ['ignore', 'ignore', 'ignore'],
    signal: 'SIGKILL',
  });
  const exited = once(child, 'exit');
  for (let look = 0; !(await answers(at)); look++) {
    if (child.exitCode !== null || look > 500) throw new Error(`redis-server does not answer on port ${at}`);
    await delay(20);
  }
  child.unref();
  const pid = child.pid ?? 0;
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
    pid,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.ref();
        child.kill('SIGKILL');
        await exited;
      }
      await home.remove();
    },
  };
}

/** Whether a Redis answers PING on this port. */
async function answers(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    return reply.toString().startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
