import { adminOperations, operations, type Operation } from '@paydesk/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { AdminDeps } from '../../src/admin/request/deps.ts';
import { adminRoutes } from '../../src/admin/routes.ts';
import { consoleRoutes } from '../../src/console/routes.ts';

/** The calls that are registered under a prefix, as the documents write them. */
async function registered(prefix: string, register: (app: FastifyInstance) => void): Promise<string[]> {
  const app = Fastify();
  // The requests of pages.
  app.decorate('site', { base_path: '' } as FastifyInstance['site']);
  const calls: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
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
