import { applicationStates, DecisionOnScopes } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import {
  type ScopeDecision,
  decideApplication,
  listApplications,
} from '../../oauth/scope-applications/index.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import { demandReason } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { applicationJson } from './client-json.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByApplication, type Listing } from '../request/request.ts';

const readDecision = reader(DecisionOnScopes);

/**
 * `GET /scope-applications`, newest first, filtered by `status`; and the decision on one, with a reason.
 */
export function scopeApplicationRoutes(app: FastifyInstance, deps: AdminDeps): void {
  app.get<Listing>('/scope-applications', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const page = { status: readStatus(query.status), before: after, limit: limit + 1 };
    const found = await listApplications(deps.db, page);
    return pageOf(found, limit, ({ application }) => application.application_id, applicationJson);
  });

  app.post<ByApplication>('/scope-applications/:application_id/decision', async (request) => {
    const actor = actorOf(request);
    const decision = decisionOf(readDecision(request.body), actor);
    const { application_id } = request.params;
    const act = { actor, action: `scope-application.${decision.decision}`, reason: decision.reason };
    const { after } = await changeAsAdministrator(deps, act, async (tx) => {
      const change = await decideApplication(tx, application_id, decision, deps.clock.now());
      return {
        target: `client:${change.after.client.client_id}`,
        before: applicationJson(change.before),
        after: applicationJson(change.after),
      };
    });
    return after;
  });
}

/** Throws `invalid_request` if the reason is missing, or if a rejection names scopes. */
function decisionOf(
  { decision, scopes, reason: given }: DecisionOnScopes,
  decided_by: string,
): ScopeDecision {
  const reason = demandReason(given);
  if (decision === 'approve') return { decision, scopes, decided_by, reason };
  if (scopes !== undefined) throw invalid('scopes', 'A rejection approves no scopes.');
  return { decision, decided_by, reason };
}

/** Throws `invalid_request` for an unknown status. */
function readStatus(value: unknown): (typeof applicationStates)[number] | null {
  if (value === undefined) return null;
  const known = applicationStates.find((state) => state === value);
  if (known === undefined) throw invalid('status', `status must be one of ${applicationStates.join(', ')}.`);
  return known;
}
