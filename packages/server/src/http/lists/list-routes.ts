/** Lists as routes: page by page as JSON, and as a CSV file. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteGenericInterface } from 'fastify';
import { type CsvColumn, csvHead, csvLines } from '../../base/csv.ts';
import type { Page } from '../../base/input/list-page.ts';
import { whileAllowed } from './while-allowed.ts';

type Query = Readonly<Record<string, unknown>>;

/** The route of a list. */
interface Listed extends RouteGenericInterface {
  Querystring: Record<string, unknown>;
}

export interface CsvOptions<Route extends RouteGenericInterface, T> {
  columns: readonly CsvColumn<T>[];
  /** Throws if this caller may not export the list now. */
  admit: (request: FastifyRequest<Route>) => Promise<void>;
}

/** Number of rows that an export reads at a time. */
const pageSize = '100';

/**
 * Registers a list twice: page by page as JSON, and as a CSV file at the same address with `.csv` appended. The file
 * takes the same filters. Its pages are read one after the other, as fast as the client takes them, so memory stays
 * constant.
 *
 * @param load loads one page for the filters, `limit` and `cursor` of a query
 */
export function listRoutes<Route extends Listed, T>(
  app: FastifyInstance,
  path: string,
  load: (request: FastifyRequest<Route>, query: Query) => Promise<Page<T>>,
  { columns, admit }: CsvOptions<Route, T>,
): void {
  app.get<Listed>(path, (request) => load(request as FastifyRequest<Route>, request.query));

  const file = path.split('/').at(-1) ?? 'list';
  app.get<Listed>(`${path}.csv`, { exposeHeadRoute: false }, async (asked, reply) => {
    const request = asked as FastifyRequest<Route>;
    await admit(request);
    const next = (cursor?: string): Promise<Page<T>> =>
      load(request, { ...asked.query, limit: pageSize, cursor });
    // Errors of the first page are answered before the file begins.
    const first = await next();
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${file}.csv"`)
      .send(Readable.from(whileAllowed(asked, linesOf(columns, first, next)), { objectMode: false }));
  });
}

async function* linesOf<T>(
  columns: readonly CsvColumn<T>[],
  first: Page<T>,
  next: (cursor: string) => Promise<Page<T>>,
): AsyncGenerator<string> {
  yield csvHead(columns) + csvLines(columns, first.items);
  for (let cursor = first.next_cursor; cursor !== undefined;) {
    const page = await next(cursor);
    yield csvLines(columns, page.items);
    cursor = page.next_cursor;
  }
}
