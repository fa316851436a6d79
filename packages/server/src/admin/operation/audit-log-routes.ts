import type { FastifyInstance } from 'fastify';
import { auditJson, selectAuditEntries } from '../../base/audit/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { environmentActor } from '../keys/index.ts';
import { textIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type Listing } from '../request/request.ts';

/** `GET /audit-log`: every administrative change, newest first, filtered by `target` and `actor`. */
export function auditLogRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const filter = { target: textIn(query, 'target'), actors: actorsIn(query) };
    const entries = await selectAuditEntries(db, after, limit + 1, filter);
    return pageOf(entries, limit, ({ audit_id }) => audit_id, auditJson);
  };
  listRoutes<Listing, ReturnType<typeof auditJson>>(app, '/audit-log', load, {
    columns: [
      ...(['audit_id', 'at', 'actor', 'action', 'target', 'reason'] as const),
      ['before', ({ before }) => JSON.stringify(before)],
      ['after', ({ after }) => JSON.stringify(after)],
      'address',
      'session_id',
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** The actors of the filter. Before keys had names, the entries of the environment's key said `key`. */
function actorsIn(query: Listing['Querystring']): readonly string[] | null {
  const actor = textIn(query, 'actor');
  if (actor === null) return null;
  return actor === 'key' || actor === environmentActor ? ['key', environmentActor] : [actor];
}
