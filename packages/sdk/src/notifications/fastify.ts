/** Receives notifications in Fastify. */
import type { IncomingHttpHeaders } from 'node:http';
import { bodyIsParsed, bytesOf, type NotificationOptions, receive } from './receive.ts';

export type { NotificationOptions } from './receive.ts';

interface Request {
  headers: IncomingHttpHeaders;
  body?: unknown;
  rawBody?: unknown;
}

interface Reply {
  code: (status: number) => Reply;
  send: (body?: unknown) => unknown;
}

/** What the plug-in needs of a Fastify instance. */
interface App {
  removeContentTypeParser: (type: string) => unknown;
  addContentTypeParser: (
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void,
  ) => unknown;
  post: (path: string, handler: (request: Request, reply: Reply) => Promise<unknown>) => unknown;
}

/**
 * A plug-in with its own parser: `app.register(paydeskNotifications, { path: '/paydesk', secrets, handle })`. The parsers
 * of other routes stay as they are.
 */
export function paydeskNotifications(
  instance: object,
  options: NotificationOptions & { path: string },
  done: (error?: Error) => void,
): void {
  // Fastify's own types would make it a dependency.
  const app = instance as App;
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body);
  });
  app.post(options.path, notificationHandler(options));
  done();
}

/** A handler for a route of yours whose body is the raw bytes, as `body` or as `rawBody`. */
export const notificationHandler =
  (options: NotificationOptions) =>
  async (request: Request, reply: Reply): Promise<unknown> => {
    const raw_body = bytesOf(request.rawBody) ?? bytesOf(request.body);
    if (raw_body === undefined) {
      throw bodyIsParsed('Register the plug-in paydeskNotifications, which reads the bytes itself.');
    }
    const answer = await receive(options, request.headers, raw_body);
    return reply.code(answer.status).send(answer.status === 204 ? undefined : answer.body);
  };
