import Fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../../base/input/list-page.ts';
import { listRoutes } from './list-routes.ts';

const app = Fastify();
afterEach(() => app.close());

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
