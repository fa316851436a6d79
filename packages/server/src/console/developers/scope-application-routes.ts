/** A merchant applies for other scopes of a client. The client keeps its scopes until an administrator decides. */
import { ScopeRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { applyForScopes, lockOwnClient } from '../../oauth/scope-applications/index.ts';
import { reader } from '../../base/input/decode.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readScopes = reader(ScopeRequest);

/** A call about one of the merchant's clients. */
interface ByClient {
  Params: ByMerchant['Params'] & { client_id: string };
}

export function scopeApplicationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.post<ByClient>('/clients/:client_id/scope-applications', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { client_id } = request.params;
    const { scopes } = readScopes(request.body);
    const act = { actor, action: 'scope-application.create' };
    const { answer } = await changeAsMember(deps, request, act, async (tx) => {
      const { scopes: before } = await lockOwnClient(tx, merchant_id, client_id);
      const wanted = { merchant_id, client_id, scopes, requested_by: actor };
      const {
        application_id,
        status,
        scopes: after,
      } = await applyForScopes(tx, deps, wanted, deps.clock.now());
      return {
        target: `client:${client_id}`,
        before: { scopes: before },
        after: { application_id, scopes: after },
        answer: { application_id, status },
      };
    });
    return reply.code(201).send(answer);
  });
}
