import { adminOperations, operations, type Operation } from '@paydesk/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { AdminDeps } from '../../src/admin/request/deps.ts';
import { adminRoutes } from '../../src/admin/routes.ts';
import { consoleRoutes } from '../../src/console/routes.ts';
import { readRepository } from '../support/rules/deployment.ts';

/** The largest bodies that the routes take whose limit is not the usual one. */
const limits: number[] = [];

/** The calls that are registered under a prefix, as the documents write them. */
async function registered(prefix: string, register: (app: FastifyInstance) => void): Promise<string[]> {
  const app = Fastify();
  // The requests of pages.
  app.decorate('site', { base_path: '' } as FastifyInstance['site']);
  const calls: string[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.max_body_bytes !== undefined) limits.push(config.max_body_bytes);
    const path = url.replace(/:(\w+)/g, '{$1}');
    for (const one of [method].flat()) {
      if (one !== 'HEAD' && path.startsWith(prefix)) calls.push(`${one.toLowerCase()} ${path}`);
    }
  });
  register(app);
  await app.ready();
  await app.close();
  return calls.sort();
}

const documented = (all: readonly Operation[], prefix: string): string[] =>
  all
    .flatMap(({ method, place }) =>
      'path' in place && place.path.startsWith(prefix) ? [`${method} ${place.path}`] : [],
    )
    .sort();

test('every administration call is documented, and every documented one exists', async () => {
  const deps = { config: {}, jobs: {}, testClock: {} } as unknown as AdminDeps;
  const calls = await registered('/admin/v1', (app) => {
    adminRoutes(app, deps);
  });
  expect(calls).toEqual(documented(adminOperations, '/admin/v1'));
});

test('every call of the console is documented, and every documented one exists', async () => {
  const calls = await registered('/console/v1', (app) => {
    consoleRoutes(app, { pages: {} } as unknown as Parameters<typeof consoleRoutes>[1]);
  });
  expect(calls).toEqual(documented(operations, '/console/v1'));
});

test('D-945 the documented proxies pass the largest body that a call takes', () => {
  const most = Math.max(...limits);
  expect(most).toBeGreaterThan(1_000_000);
  for (const [file, size] of [
    ['docs/operating/proxies.md', /pass bodies up to (\d+) MB/],
    ['docs/operating/proxies.md', /client_max_body_size (\d+)m;/],
    ['docs/operating/kubernetes.md', /proxy-body-size: (\d+)m/],
    ['deploy/compose/Caddyfile', /max_size (\d+)MB/],
  ] as const) {
    const megabytes = Number(size.exec(readRepository(file))?.[1]);
    expect([file, megabytes * 1_000_000 >= most]).toEqual([file, true]);
  }
});
