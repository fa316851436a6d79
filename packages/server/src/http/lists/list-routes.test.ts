import Fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../../base/input/list-page.ts';
import { admitBy } from '../admit-twice.ts';
import { listRoutes } from './list-routes.ts';

let app = Fastify();
afterEach(async () => {
  await app.close();
  app = Fastify();
  vi.restoreAllMocks();
});

test('a list is sent as a file page by page, and the file breaks off if a page cannot be read', async () => {
  const pages: Record<string, Page<{ n: number }>> = {
    '': { items: [{ n: 1 }, { n: 2 }], next_cursor: 'two' },
    two: { items: [], next_cursor: 'three' },
    three: { items: [{ n: 3 }] },
    broken: { items: [{ n: 4 }], next_cursor: 'none' },
  };
  const load = vi.fn((_request: unknown, query: Readonly<Record<string, unknown>>) => {
    const start = typeof query.start === 'string' ? query.start : '';
    const page = pages[typeof query.cursor === 'string' ? query.cursor : start];
    return page === undefined ? Promise.reject(new Error('lost')) : Promise.resolve(page);
  });
  const admit = vi.fn(() => Promise.resolve());
  listRoutes(app, '/some/things', load, { columns: ['n'], admit });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const file = await fetch(`${url}/some/things.csv?colour=red&limit=1&cursor=two`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="things.csv"');
  expect(await file.text()).toBe('"n"\r\n"1"\r\n"2"\r\n"3"\r\n');
  expect(load.mock.calls.map(([, { colour, limit, cursor }]) => [colour, limit, cursor])).toEqual([
    ['red', '100', undefined],
    ['red', '100', 'two'],
    ['red', '100', 'three'],
  ]);
  expect(admit).toHaveBeenCalledTimes(1);

  const broken = await fetch(`${url}/some/things.csv?start=broken`);
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
  // An error of the first page is answered like any other error.
  expect((await fetch(`${url}/some/things.csv?start=none`)).status).toBe(500);
  expect((await fetch(`${url}/some/things.csv`, { method: 'HEAD' })).status).toBe(404);
  expect(await (await fetch(`${url}/some/things?cursor=three`)).json()).toEqual(pages.three);
});

test('D-1077 a file that is taken slowly breaks off where the access of its caller has ended', async () => {
  const pages = { read: 0, allowed: 3, all: 10 };
  const mayRead = (): boolean => pages.read < pages.allowed;
  admitBy(app, () => (mayRead() ? Promise.resolve() : Promise.reject(new Error('no access'))));
  const load = (): Promise<Page<{ n: number }>> => {
    const more = ++pages.read < pages.all ? { next_cursor: 'on' } : {};
    return Promise.resolve({ items: [{ n: pages.read }], ...more });
  };
  listRoutes(app, '/things', load, { columns: ['n'], admit: () => Promise.resolve() });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 2_000));
  const file = await fetch(`${url}/things.csv`);
  await expect(file.text()).rejects.toThrow();
  expect([file.status, pages.read]).toEqual([200, pages.allowed]);
});
