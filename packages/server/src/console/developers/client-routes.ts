import { NewOwnClient, ScopeRequest, ClientSecretRotation } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { auditedChange } from '../../base/audit/index.ts';
import { createClient, selectClientPage, rotateClientSecret } from '../../oauth/clients/index.ts';
import { applyForScopes, latestApplications, ownClient } from '../../oauth/scope-applications/index.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { reader } from '../../base/input/decode.ts';
import { parseJson } from '../../base/input/json.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { ownClientJson } from './client-json.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readNew = reader(NewOwnClient);
const readScopes = reader(ScopeRequest);
const readRotation = reader(ClientSecretRotation);

/** A call about one of the merchant's clients. */
interface ByClient {
  Params: ByMerchant['Params'] & { client_id: string };
}

/** A merchant's clients: listed, created, given other scopes by way of an application, and new secrets. */
export function clientRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;

  app.get<ByMerchant & { Querystring: Record<string, unknown> }>('/clients', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(request.query);
    const clients = await selectClientPage(db, merchant_id, after ?? '', limit + 1);
    const latest = await latestApplications(db, clients);
    const now = clock.real();
    return pageOf(
      clients,
      limit,
      ({ client_id }) => client_id,
      (client) => ownClientJson(client, latest.get(client.client_id), now),
    );
  });

  app.post<ByMerchant>('/clients', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { scopes, ...settings } = readNew(request.body);
    const act = { actor, action: 'client.create' };
    const { answer } = await auditedChange(deps, act, async (tx) => {
      const now = clock.now();
      // No scope is in force before an administrator approves.
      const { client, client_secret } = await createClient(
        tx,
        deps,
        { ...settings, merchant_id, scopes: [] },
        now,
      );
      const { client_id } = client;
      const wanted = { merchant_id, client_id, scopes, requested_by: actor };
      const application = await applyForScopes(tx, deps, wanted, now);
      const { application_id } = application;
      return {
        target: `client:${client_id}`,
        before: null,
        after: ownClientJson(client, application, now),
        // Shown this once: only its digest is kept.
        answer: { client_id, ...(client_secret === null ? {} : { client_secret }), application_id },
      };
    });
    return reply.code(201).send(answer);
  });

  app.post<ByClient>('/clients/:client_id/scope-applications', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { client_id } = request.params;
    const { scopes } = readScopes(request.body);
    const act = { actor, action: 'scope-application.create' };
    const { answer } = await auditedChange(deps, act, async (tx) => {
      const { scopes: before } = await ownClient(tx, merchant_id, client_id);
      const wanted = { merchant_id, client_id, scopes, requested_by: actor };
      const { application_id, status, scopes: after } = await applyForScopes(tx, deps, wanted, clock.now());
      return {
        target: `client:${client_id}`,
        before: { scopes: before },
        after: { application_id, scopes: after },
        answer: { application_id, status },
      };
    });
    return reply.code(201).send(answer);
  });

  app.post<ByClient>(
    '/clients/:client_id/secret-rotation',
    { config: { body: 'raw' } },
    async (request): Promise<{ client_secret: string; previous_valid_until: string | null }> => {
      const { actor, merchant } = memberOf(request);
      const { client_id } = request.params;
      const body = request.body as Buffer;
      const options = body.length === 0 ? {} : readRotation(parseJson(body));
      const act = { actor, action: 'client.rotate-secret' };
      const { answer } = await auditedChange(deps, act, async (tx) => {
        await ownClient(tx, merchant.merchant_id, client_id);
        const rotated = await rotateClientSecret(tx, deps, client_id, clock.real(), options);
        const { client_secret, previous_valid_until: until } = rotated;
        const previous_valid_until = until === null ? null : rfc3339(until);
        return {
          target: `client:${client_id}`,
          before: {},
          after: { previous_valid_until, secrets_set: ['client_secret'] },
          answer: { client_secret, previous_valid_until },
        };
      });
      return answer;
    },
  );
}
