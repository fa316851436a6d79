/**
 * A merchant's clients: listed, created, disabled, limited to addresses. A new client has no scope before an
 * administrator approves one.
 */
import { NewOwnClient, OwnClientChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { createClient, changeForMerchant, selectClientPage } from '../../oauth/clients/index.ts';
import { applyForScopes, latestApplications, lockOwnClient } from '../../oauth/scope-applications/index.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { ownClientJson } from './client-json.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readNew = reader(NewOwnClient);
const readChange = reader(OwnClientChange);

/** A call about one of the merchant's clients. */
interface ByClient {
  Params: ByMerchant['Params'] & { client_id: string };
}

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

  app.patch<ByClient>('/clients/:client_id', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { client_id } = request.params;
    const wanted = readChange(request.body);
    const act = { actor, action: actionOf(wanted) };
    const { after } = await changeAsMember(deps, request, act, async (tx) => {
      const client = await lockOwnClient(tx, merchant.merchant_id, client_id);
      const change = await changeForMerchant(tx, deps, client, wanted);
      const latest = (await latestApplications(tx, [client])).get(client_id);
      const now = clock.real();
      return {
        target: `client:${client_id}`,
        before: ownClientJson(change.before, latest, now),
        after: ownClientJson(change.after, latest, now),
      };
    });
    return after;
  });

  app.post<ByMerchant>('/clients', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { scopes, ...settings } = readNew(request.body);
    const act = { actor, action: 'client.create' };
    const { answer } = await changeAsMember(deps, request, act, async (tx) => {
      const now = clock.now();
      // A client has no scopes before an administrator approves.
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
        shown: client_secret === null ? null : 'client_secret',
        // The secret is shown only in this answer, because only its digest is stored.
        answer: { client_id, ...(client_secret === null ? {} : { client_secret }), application_id },
      };
    });
    return reply.code(201).send(answer);
  });
}

/** The name of a change in the audit log. Throws `invalid_request` if the request changes nothing. */
function actionOf({ disabled, allowed_cidrs }: OwnClientChange): string {
  if (disabled !== undefined) return disabled ? 'client.disable' : 'client.enable';
  if (allowed_cidrs === undefined) throw invalid('disabled', 'Send disabled, allowed_cidrs or both.');
  return 'client.update';
}
