import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { backlogByMerchant } from '../../notifications/backlog/index.ts';
import { readPageRequest } from '../../base/input/list-page.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';

/** `GET /notification-backlog`: the merchants with due notifications, starting with the longest wait. */
export function notificationBacklogRoutes(app: FastifyInstance, { db, clock }: AdminDeps): void {
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
}
