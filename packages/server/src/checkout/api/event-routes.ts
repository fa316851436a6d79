import type { FastifyInstance, FastifyReply } from 'fastify';
import { selectAttemptStates } from '../../payments/attempts/index.ts';
import type { OrderWatch } from '../../collection/watching/index.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { rememberedToken } from '../pages/checkout-page-routes.ts';
import type { CheckoutRoutesDeps, LimitHook, OrderRequest } from '../routes.ts';

/** A stream lives so long at most; the browser then opens another. */
const longest_ms = 10 * 60_000;
const heartbeat_ms = 20_000;

/** Says that there is something to read, not what. */
const changed = 'data: changed\n\n';

/**
 * Tells an open page that its order has changed, by server-sent events without content: the page then reads the
 * state. The stream finds its order by the cookie of the order's checkout path, since it cannot send a header.
 */
export function eventRoutes(
  app: FastifyInstance,
  deps: CheckoutRoutesDeps,
  { limitReads, watch }: { limitReads: LimitHook; watch: OrderWatch },
): void {
  const open = new Set<() => void>();
  app.addHook('preClose', (done) => {
    for (const end of open) end();
    watch.stop();
    done();
  });

  app.get(
    '/checkout/api/:order_no/events',
    { onRequest: limitReads },
    async (request: OrderRequest, reply) => {
      const { order_no } = request.params;
      const order = await openCheckout(deps, order_no, tokenOf(request, order_no));
      const states = await selectAttemptStates(deps.db, order.merchant_id, [order_no]);
      const known = { ...order, attempts: states.get(order_no) ?? '' };
      const end = stream(reply, (tell) => watch.watch(known, tell));
      open.add(end);
      reply.raw.once('close', () => {
        open.delete(end);
        end();
      });
    },
  );
}

function stream(reply: FastifyReply, subscribe: (tell: () => void) => () => void): () => void {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  // The page was made before it began to listen: what happened in between, it reads now.
  raw.write('retry: 2000\n\n');
  raw.write(changed);
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

const tokenOf = (request: OrderRequest, order_no: string): string =>
  rememberedToken(request, `${request.server.site.base_path}/checkout/api/${order_no}`);
