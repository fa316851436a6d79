import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { createSales, readDays } from '../../collection/figures/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

/** `GET sales`: volume, conversion and the steps to the payment in a range of days, beside the days before (D-332). */
export function salesRoutes(app: FastifyInstance, { db, clock, log, collection }: ConsoleDeps): void {
  const salesOf = createSales({ db, clock, log });

  app.get<ByMerchant & Listing>('/sales', async (request) => {
    const {
      actor,
      merchant: { merchant_id },
    } = memberOf(request);
    const time_zone = readTimeZone(request.query.time_zone);
    const days = readDays(request.query, clock.now(), time_zone);
    const { as_of, figures } = await salesOf(merchant_id, days, time_zone, actor);
    const { methods, ...sales } = figures;
    const named = methods.map(async (method) => {
      const channel = await collection.channels.find(method.payment_no);
      return { ...method, name: channel?.name ?? method.payment_no, provider: channel?.provider ?? null };
    });
    return { as_of: rfc3339(as_of), time_zone, ...sales, methods: await Promise.all(named) };
  });
}
