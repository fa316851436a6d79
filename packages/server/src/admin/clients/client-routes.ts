import { ClientChange, ClientKeysChange, NewClient, ScopeChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import {
  type Client,
  createClient,
  editClient,
  selectClientPage,
  selectClients,
  setClientKeys,
  setClientScopes,
} from '../../oauth/clients/index.ts';
import type { Act } from '../../base/audit/index.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import { demandReason, textIn } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import type { Tx } from '../../base/pg/index.ts';
import { clientJson } from './client-json.ts';
import type { AdminDeps } from '../request/deps.ts';
import { demandMerchant } from '../request/merchant.ts';
import { actorOf, type ByClient, type Listing } from '../request/request.ts';

const readNew = reader(NewClient);
const readChange = reader(ClientChange);
const readScopes = reader(ScopeChange);
const readKeys = reader(ClientKeysChange);

/** `GET`, `POST` and `PATCH /clients`, `PUT /clients/{client_id}/keys` and `PUT /clients/{client_id}/scopes`. */
export function clientRoutes(app: FastifyInstance, deps: AdminDeps): void {
  /** Makes or changes a client and answers with it. A new secret is shown only here, because only its digest is stored. */
  const answerChange = async (
    act: Act,
    change: (tx: Tx) => Promise<{ before: Client | null; after: Client; client_secret?: string | null }>,
  ) => {
    const { after, client_secret } = await changeAsAdministrator(deps, act, async (tx) => {
      const { before, after, client_secret = null } = await change(tx);
      return {
        target: `client:${after.client_id}`,
        before: before && clientJson(before),
        after: clientJson(after),
        shown: client_secret === null ? null : 'client_secret',
        client_secret,
      };
    });
    return { ...after, ...(client_secret === null ? {} : { client_secret }) };
  };

  app.get<Listing>('/clients', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const merchant_no = textIn(query, 'merchant_no');
    const merchant_id =
      merchant_no === null ? null : await demandMerchant(deps.db, 'merchant_no', merchant_no);
    const clients =
      merchant_id === null
        ? await selectClients(deps.db, after ?? '', limit + 1)
        : await selectClientPage(deps.db, merchant_id, after ?? '', limit + 1);
    return pageOf(clients, limit, ({ client_id }) => client_id, clientJson);
  });

  app.post('/clients', async (request, reply) => {
    const { merchant_no, ...settings } = readNew(request.body);
    const act = { actor: actorOf(request), action: 'client.create' };
    const created = await answerChange(act, async (tx) => {
      const merchant_id = merchant_no === null ? null : await demandMerchant(tx, 'merchant_no', merchant_no);
      const asked = { ...settings, merchant_id };
      const { client, client_secret } = await createClient(tx, deps, asked, deps.clock.now());
      return { before: null, after: client, client_secret };
    });
    return reply.code(201).send(created);
  });

  app.patch<ByClient>('/clients/:client_id', async (request) => {
    const { reason, ...changes } = readChange(request.body);
    const { client_id } = request.params;
    const act = { actor: actorOf(request), action: 'client.update', reason: demandReason(reason) };
    return answerChange(act, (tx) => editClient(tx, deps, client_id, changes));
  });

  app.put<ByClient>('/clients/:client_id/keys', async (request) => {
    const { jwks, reason } = readKeys(request.body);
    const { client_id } = request.params;
    const act = { actor: actorOf(request), action: 'client.set-keys', reason: demandReason(reason) };
    return answerChange(act, (tx) => setClientKeys(tx, deps, client_id, jwks));
  });

  app.put<ByClient>('/clients/:client_id/scopes', async (request) => {
    const { scopes, reason } = readScopes(request.body);
    const { client_id } = request.params;
    const act = { actor: actorOf(request), action: 'client.set-scopes', reason: demandReason(reason) };
    return answerChange(act, (tx) => setClientScopes(tx, client_id, scopes));
  });
}
