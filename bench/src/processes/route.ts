/** Starts the bare route. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type Server, startServer } from './children.ts';
import type { LoadPlan, Pace } from '../load/plan.ts';

const program = fileURLToPath(new URL('./route-server.js', import.meta.url));

/** Starts the bare Fastify route, in a process of its own like the service. */
export async function startRoute(dir: string, signal: AbortSignal): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return startServer({
    name: 'The bare route',
    args: [program, String(port)],
    env: { PATH: process.env.PATH ?? '' },
    log_file: join(dir, 'route.log'),
    url,
    ready_path: '/order',
    signal,
  });
}

/** The load on the bare route, with the same generator and number of connections as for the service. */
export function routeLoad(pace: Pace, connections: number): Omit<LoadPlan, 'origin'> {
  return {
    connections,
    pace,
    template: {
      method: 'GET',
      path: '/order',
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    },
    rows: [[]],
    repeat: true,
    expect: 200,
    keep: [],
  };
}
