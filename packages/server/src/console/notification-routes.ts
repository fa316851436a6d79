import { ReplayFailed } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { audited } from '../base/audit.ts';
import { readInstant, reader } from '../base/decode.ts';
import { AppError, invalid } from '../base/errors.ts';
import { merchantNo } from '../base/ids.ts';
import { cursorOf, pageOf, readCursor, readPageRequest } from '../base/list-page.ts';
import {
  type DeliveryFilter,
  listMerchantDeliveries,
  replay,
  replayFailed,
} from '../notifications/records.ts';
import type { ConsoleDeps } from './deps.ts';
import { type ByMerchant, memberOf } from './member.ts';

const readReplayFailed = reader(ReplayFailed);

/** The records of a merchant's notifications across its orders, and replays. */
export function notificationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;

  app.get<ByMerchant & { Querystring: Record<string, unknown> }>('/notifications', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(request.query, isNotificationId);
    const page = { before: after, limit: limit + 1 };
    const records = await listMerchantDeliveries(db, merchant_id, filterOf(request.query), page);
    return pageOf(
      records,
      limit,
      ({ event_id }) => event_id,
      (record) => record,
    );
  });

  app.post<{ Params: ByMerchant['Params'] & { event_id: string } }>(
    '/notifications/:event_id/retry',
    { config: { body: 'ignored' } },
    async (request, reply) => {
      const { actor, merchant } = memberOf(request);
      const { event_id } = request.params;
      const event = { merchant_id: merchant.merchant_id, order_no: null, event_id };
      await audited(deps, { actor, action: 'notification.retry' }, async (tx) => {
        const outcome = await replay(tx, event, clock.now());
        if (outcome === 'unknown') throw new AppError('not_found');
        if (outcome === 'unchanged') return null;
        const target = `notification:${event_id}`;
        return { target, before: { delivery_status: 'failed' }, after: { delivery_status: 'pending' } };
      });
      return reply.code(202).send({ accepted: true });
    },
  );

  app.post<ByMerchant>('/notifications/retry-failed', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { since, cursor } = readReplayFailed(request.body);
    const span = { since: readInstant('since', since), after: readCursor(cursor, isNotificationId) };
    const act = { actor, action: 'notification.retry-failed' };
    const { requeued, last } = await audited(deps, act, async (tx) => {
      const replayed = await replayFailed(tx, { merchant_id, ...span }, clock.now());
      const after = { since, requeued: replayed.requeued };
      return { target: `merchant:${merchantNo(merchant_id)}`, before: null, after, ...replayed };
    });
    return reply.code(202).send({ requeued, ...(last === null ? {} : { next_cursor: cursorOf(last) }) });
  });
}

const isNotificationId = (text: string): boolean => /^ne_[0-9A-Z]{26}$/.test(text);

/**
 * Reads `status` and `order_no`; empty or absent: any.
 *
 * @throws AppError `invalid_request`
 */
function filterOf({ status = '', order_no = '' }: Record<string, unknown>): DeliveryFilter {
  if (typeof order_no !== 'string' || order_no.includes('\0')) throw invalid('order_no', 'Name one order.');
  if (status !== '' && status !== 'pending' && status !== 'delivered' && status !== 'failed') {
    throw invalid('status', 'status is one of pending, delivered, failed.');
  }
  return { order_no: order_no === '' ? null : order_no, delivery_status: status === '' ? null : status };
}
