/**
 * The event stream of an open checkout page. It says that the order has changed, not how: the page then reads the
 * state. A stream of the browser cannot send a header, so the cookie of the order's path proves access (D-117, D-121).
 * A page in a frame has no cookie: it reads the stream itself, with the token in a header (D-268).
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type OrderWatch, versionOf } from '../../collection/watching/index.ts';
import { selectAttemptStates } from '../../payments/attempts/index.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { headerToken, rememberedToken } from '../link/token-cookies.ts';
import { type CheckoutDeps, type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import { createStreamSlots, usualStreamLimits } from './stream-slots.ts';

/** The maximum life of a stream. The browser then opens another. */
const longest_ms = 10 * 60_000;
const heartbeat_ms = 20_000;

const changed = 'data: changed\n\n';
const streamHeaders = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

export function eventRoutes(app: FastifyInstance, deps: CheckoutDeps, watch: OrderWatch): void {
  const open = new Set<() => void>();
  const slots = createStreamSlots(usualStreamLimits);
  app.addHook('preClose', (done) => {
    for (const end of open) end();
    watch.stop();
    done();
  });

  app.get(
    '/checkout/api/:order_no/events',
    { onRequest: limitReads(deps) },
    async (request: RequestForOrder, reply) => {
      const { order_no } = request.params;
      const order = await openCheckout(deps, order_no, tokenOf(request), visitorOf(deps, request));
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
      const states = await selectAttemptStates(deps.db, order.merchant_id, [order_no]);
      const known = { ...order, attempts: states.get(order_no) ?? '' };
      // The page has gone meanwhile, and `close` will not come again.
      if (reply.raw.destroyed) return reply.hijack();
      const giveBack = slots.take(order_no, request.client_ip);
      const { version } = request.query as { version?: unknown };
      const end = openStream(reply, version !== versionOf(known), (tell) => watch.watch(known, tell));
      open.add(end);
      reply.raw.once('close', () => {
        open.delete(end);
        end();
        giveBack();
      });
      return reply;
    },
  );
}

const tokenOf = (request: RequestForOrder): string =>
  headerToken(request) || rememberedToken(request, 'api', request.params.order_no);

/**
 * @param isNews whether the order has changed since the page was made
 * @returns how to end the stream
 */
function openStream(
  reply: FastifyReply,
  isNews: boolean,
  subscribe: (tell: () => void) => () => void,
): () => void {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, streamHeaders);
  raw.write('retry: 2000\n\n');
  if (isNews) raw.write(changed);
  const unsubscribe = subscribe(() => raw.write(changed));
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeat_ms);
  const end = (): void => {
    clearInterval(heartbeat);
    clearTimeout(last);
    unsubscribe();
    raw.end();
  };
  const last = setTimeout(end, longest_ms);
  return end;
}
