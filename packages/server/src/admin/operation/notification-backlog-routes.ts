import type { FastifyInstance } from 'fastify';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { backlogByMerchant } from '../../notifications/backlog/index.ts';
import { listFailingReceivers } from '../../notifications/receivers/index.ts';
import { readPageRequest } from '../../base/input/list-page.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';

/** `GET /notification-backlog`: the merchants with due notifications, longest wait first; failing receivers and exports. */
export function notificationBacklogRoutes(
  app: FastifyInstance,
  { db, clock, failingExports }: AdminDeps,
): void {
  app.get<Listing>('/notification-backlog', async ({ query }) => {
    const { limit } = readPageRequest({ limit: query.limit });
    const backlog = await backlogByMerchant(db, clock, limit);
    return {
      items: backlog.map(({ merchant_id, name, due, oldest_at }) => ({
        merchant_no: merchantNo(merchant_id),
        name,
        due,
        oldest_due_at: rfc3339(oldest_at),
      })),
    };
  });

  app.get('/failing-receivers', async () => ({
    items: (await listFailingReceivers({ db, clock })).map(
      ({ merchant_id, merchant_name, destination, failures, last_http_status, last_error, ...times }) => ({
        merchant_no: merchantNo(merchant_id),
        ...{ merchant_name, destination, failures, last_http_status, last_error },
        failing_since: rfc3339OrNull(times.failing_since),
        last_failure_at: rfc3339OrNull(times.last_failure_at),
      }),
    ),
  }));

  app.get('/failing-exports', async () => ({
    items: (await failingExports()).map(({ merchant_id, failing_since, ...rest }) => ({
      ...{ merchant_no: merchantNo(merchant_id), ...rest, failing_since: rfc3339(failing_since) },
    })),
  }));
}
