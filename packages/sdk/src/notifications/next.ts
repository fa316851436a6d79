/** Receives notifications in Next.js, and in other servers whose routes take a `Request`. */
import type { ServerResponse } from 'node:http';
import { type NodeRequest, rawBodyOf, send } from './express.ts';
import { type NotificationOptions, receive } from './receive.ts';
import { respond } from './respond.ts';

export type { NotificationOptions } from './receive.ts';

/** For the App Router: `export const POST = notificationHandler({ secrets, handle })` in `route.ts`. */
export const notificationHandler =
  (options: NotificationOptions) =>
  (request: Request): Promise<Response> =>
    respond(options, request);

/**
 * For the Pages Router: `export default notificationApiRoute({ secrets, handle })`, together with
 * `export const config = { api: { bodyParser: false } }`.
 */
export const notificationApiRoute =
  (options: NotificationOptions) =>
  async (request: NodeRequest, response: ServerResponse): Promise<void> => {
    const remedy = 'Add to this file: export const config = { api: { bodyParser: false } }';
    send(response, await receive(options, request.headers, await rawBodyOf(request, remedy)));
  };
