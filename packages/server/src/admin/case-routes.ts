import { caseKinds, caseStates, ResolutionOfCase } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../base/errors.ts';
import type { PaymentCase } from '../payments/case.ts';
import { listCases } from '../payments/cases.ts';
import { pursueCase } from '../payments/pursue-case.ts';
import { prepareResolution, resolveCase } from '../payments/resolve-case.ts';
import { audited } from './audit.ts';
import { caseJson } from './case-json.ts';
import { demandReason, reader } from './decode.ts';
import type { AdminDeps } from './deps.ts';
import { pageOf, readPageRequest } from './page.ts';
import { actorOf, type ByCase, type Listing } from './request.ts';

const readResolution = reader(ResolutionOfCase);

/** `GET /cases`, newest first, narrowed by `state` and `kind`, and what people decide on them. */
export function caseRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, payments } = deps;

  app.get<Listing>('/cases', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const state = readOneOf('state', caseStates, query.state);
    const kind = readOneOf('kind', caseKinds, query.kind);
    const found = await listCases(db, { state, kind, before: after, limit: limit + 1 });
    return pageOf(found, limit, ({ case_id }) => case_id, caseJson);
  });

  app.post<ByCase>('/cases/:case_id/resolution', async (request) => {
    const { action, reason: given } = readResolution(request.body);
    const reason = demandReason(given);
    const { case_id } = request.params;
    await prepareResolution(payments, case_id, action);
    const act = { actor: actorOf(request), action: `case.${action}`, reason };
    const { decided } = await audited(deps, act, async (tx) => {
      const change = await resolveCase(payments, tx, case_id, { action, reason });
      const target = `case:${case_id}`;
      return {
        target,
        before: caseJson(change.before),
        after: caseJson(change.after),
        decided: change.after,
      };
    });
    return caseJson(await carriedOn(deps, decided));
  });
}

/** A refund is on record: whatever goes wrong from here on, a worker carries it on, and the caller hears of it. */
async function carriedOn({ payments, log }: AdminDeps, decided: PaymentCase): Promise<PaymentCase> {
  if (decided.refund_status === null) return decided;
  try {
    return await pursueCase(payments, decided);
  } catch (error) {
    log.error({ err: error, case_id: decided.case_id }, 'the refund of a case is left to the worker');
    return decided;
  }
}

/** Throws `invalid_request` on what is none of them. */
function readOneOf<T extends string>(field: string, values: readonly T[], value: unknown): T | null {
  if (value === undefined) return null;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw invalid(field, `${field} is one of ${values.join(', ')}.`);
  return known;
}
