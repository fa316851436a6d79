import { ReplayFailed } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { isNotificationId } from '../../notifications/events/index.ts';
import {
  type DeliveryFilter,
  listArchivedDeliveries,
  listMerchantDeliveries,
  type MerchantRecord,
  replayAudited,
  replayFailedAudited,
} from '../../notifications/delivery-records/index.ts';
import { selectOrder, snapshotOf } from '../../collection/orders/index.ts';
import type { CsvColumn } from '../../base/csv.ts';
import { reader } from '../../base/input/decode.ts';
import { invalid } from '../../base/errors.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';

const readReplayFailed = reader(ReplayFailed);

/** The members of a notification's event that the CSV file shows. */
interface ShownEvent {
  created_at?: string;
  data?: { status?: string };
}
const shownEvent = ({ event }: MerchantRecord): ShownEvent => event as ShownEvent;

const columns: readonly CsvColumn<MerchantRecord>[] = [
  ...(['order_no', 'event_id'] as const),
  ['status', (record) => shownEvent(record).data?.status],
  ...(['status_version', 'delivery_status', 'attempts', 'last_http_status', 'last_error'] as const),
  ['created_at', (record) => shownEvent(record).created_at],
];

/** The records of a merchant's notifications for all its orders, and replays. */
export function notificationRecordRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db } = deps;

  const load = async (request: Request, query: Listing['Querystring']) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(query, isNotificationId);
    const page = { before: after, limit: limit + 1 };
    const filter = filterOf(query);
    const records = await listMerchantDeliveries(db, merchant_id, filter, page);
    // Only a list of one order has archived records: in a list of all they would have to be looked for.
    const order = filter.order_no === null ? null : await selectOrder(db, merchant_id, filter.order_no);
    const left = order === null ? [] : await listArchivedDeliveries(db, snapshotOf(order), filter, after);
    return pageOf(
      [...records, ...left].slice(0, limit + 1),
      limit,
      ({ event_id }) => event_id,
      (record) => record,
    );
  };
  listRoutes<ByMerchant & Listing, MerchantRecord>(app, '/notifications', load, {
    columns,
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.post<{ Params: ByMerchant['Params'] & { event_id: string } }>(
    '/notifications/:event_id/retry',
    { config: { body: 'ignored' } },
    async (request, reply) => {
      const { actor, merchant } = memberOf(request);
      await replayAudited(deps, actor, merchant.merchant_id, request.params.event_id);
      return reply.code(202).send({ accepted: true });
    },
  );

  app.post<ByMerchant>('/notifications/retry-failed', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const asked = readReplayFailed(request.body);
    return reply.code(202).send(await replayFailedAudited(deps, actor, merchant.merchant_id, asked));
  });
}

/**
 * Reads `status` and `order_no`; empty or absent means all.
 *
 * @throws AppError `invalid_request`
 */
function filterOf({ status = '', order_no = '' }: Record<string, unknown>): DeliveryFilter {
  if (typeof order_no !== 'string' || order_no.includes('\0')) throw invalid('order_no', 'Name one order.');
  if (status !== '' && status !== 'pending' && status !== 'delivered' && status !== 'failed') {
    throw invalid('status', 'status must be one of pending, delivered, failed.');
  }
  return { order_no: order_no === '' ? null : order_no, delivery_status: status === '' ? null : status };
}
