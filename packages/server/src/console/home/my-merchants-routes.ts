import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { merchantsOf } from '../../merchants/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { requirePerson } from '../request/member.ts';

/** `GET /console/v1/merchants`: the merchants that the signed-in person may enter. */
export function ownMerchantRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get('/console/v1/merchants', async ({ headers }) => {
    const { user_id } = await requirePerson(deps, headers);
    const found = await merchantsOf(deps.db, user_id);
    const items = await Promise.all(
      found.map(async ({ merchant, role }) => ({
        merchant_no: merchantNo(merchant.merchant_id),
        name: merchant.name,
        logo_url: merchant.logo_url,
        logo_path: await deps.logoPath(merchant.merchant_id),
        status: merchant.status,
        role,
        created_at: rfc3339(merchant.created_at),
      })),
    );
    return { items };
  });
}
