/** Receives notifications in Hono. */
import type { NotificationOptions } from './receive.ts';
import { respond } from './respond.ts';

export type { NotificationOptions } from './receive.ts';

/** What the handler needs of Hono’s context. */
interface Context {
  req: { raw: Request; bodyCache?: Record<string, unknown>; arrayBuffer: () => Promise<ArrayBuffer> };
}

/** A handler for one route: `app.post('/paydesk', notificationHandler({ secrets, handle }))`. */
export const notificationHandler =
  (options: NotificationOptions) =>
  ({ req }: Context): Promise<Response> => {
    const { bodyCache: cache = {} } = req;
    // Hono keeps what was read. From text it can give the bytes again, from parsed JSON only other ones.
    const is_kept = 'text' in cache || 'arrayBuffer' in cache || 'blob' in cache;
    return respond(options, req.raw, is_kept ? () => req.arrayBuffer() : undefined);
  };
