/** Gives a merchant's client its own public keys instead of a secret, or a secret instead of its keys. */
import { type ChangedClientKeys, ClientKeyChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { setClientKeys } from '../../oauth/clients/index.ts';
import { lockOwnClient } from '../../oauth/scope-applications/index.ts';
import { reader } from '../../base/input/decode.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readKeys = reader(ClientKeyChange);

/** A call about one of the merchant's clients. */
interface ByClient {
  Params: ByMerchant['Params'] & { client_id: string };
}

export function clientKeyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.put<ByClient>('/clients/:client_id/keys', async (request): Promise<ChangedClientKeys> => {
    const { actor, merchant } = memberOf(request);
    const { client_id } = request.params;
    const { jwks } = readKeys(request.body);
    const act = { actor, action: 'client.set-keys' };
    const { after, client_secret } = await changeAsMember(deps, request, act, async (tx) => {
      await lockOwnClient(tx, merchant.merchant_id, client_id);
      const change = await setClientKeys(tx, deps, client_id, jwks);
      return {
        target: `client:${client_id}`,
        before: { jwks: change.before.jwks },
        after: {
          jwks: change.after.jwks,
          ...(change.client_secret === null ? {} : { secrets_set: ['client_secret'] }),
        },
        shown: change.client_secret === null ? null : ('client_secret' as const),
        client_secret: change.client_secret,
      };
    });
    return { jwks: after.jwks, ...(client_secret === null ? {} : { client_secret }) };
  });
}
