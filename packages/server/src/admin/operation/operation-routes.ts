import type { FastifyInstance } from 'fastify';
import { audited, type AuditEntry, selectAuditEntries } from '../../base/audit/index.ts';
import { recordVerification } from '../../ledger/verification/index.ts';
import { verifyBooks } from '../../payments/verification/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { AppError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { listRoutes } from '../../http/list-routes.ts';
import type { AdminDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/export-limit.ts';
import { catalogOrderDetail, orderDetail } from '../orders/order-detail.ts';
import { actorOf, type ByJob, type ByOrder, type Listing } from '../request/request.ts';
import { textIn } from '../request/decode.ts';
import { verificationJson } from '../ledger/verification-json.ts';

/** What operators look at and set going: order detail, background passes, the check of the books, the audit log. */
export function operationRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;
  const jobs = new Map(Object.entries(deps.jobs));

  app.get<ByOrder>('/collection-orders/:order_no', ({ params }) => orderDetail(deps, params.order_no));
  app.get<ByOrder>('/catalog-orders/:order_no', ({ params }) => catalogOrderDetail(deps, params.order_no));

  app.post<ByJob>('/jobs/:name/run', { config: { body: 'ignored' } }, async (request) => {
    const { name } = request.params;
    const job = jobs.get(name);
    if (job === undefined) throw new AppError('not_found');
    const processed = await job();
    const act = { actor: actorOf(request), action: 'job.run' };
    await audited(deps, act, () =>
      Promise.resolve({ target: `job:${name}`, before: null, after: { processed } }),
    );
    return { processed };
  });

  app.get('/ledger/verification', async (request) => {
    const verification = await verifyBooks(db);
    const by = { verified_at: deps.clock.now(), verified_by: actorOf(request) };
    await recordVerification(db, verification, by);
    return verificationJson(verification);
  });

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const filter = { target: textIn(query, 'target'), actor: textIn(query, 'actor') };
    const entries = await selectAuditEntries(db, after, limit + 1, filter);
    return pageOf(entries, limit, ({ audit_id }) => audit_id, auditJson);
  };
  listRoutes<Listing, ReturnType<typeof auditJson>>(app, '/audit-log', load, {
    columns: [
      ...(['audit_id', 'at', 'actor', 'action', 'target', 'reason'] as const),
      ['before', ({ before }) => JSON.stringify(before)],
      ['after', ({ after }) => JSON.stringify(after)],
    ],
    admit: exportLimit({ limits: deps.limits, actorOf }),
  });
}

const auditJson = (entry: AuditEntry) => ({ ...entry, at: rfc3339(entry.at) });
