/** A client gets a new secret, shown once. The previous one may stay valid for a day (D-170). */
import { ClientSecretRotation } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { rotateClientSecret } from '../../oauth/clients/index.ts';
import { lockOwnClient } from '../../oauth/scope-applications/index.ts';
import { rfc3339OrNull } from '../../base/time/clock.ts';
import { reader } from '../../base/input/decode.ts';
import { parseJson } from '../../base/input/json.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readRotation = reader(ClientSecretRotation);

/** A call about one of the merchant's clients. */
interface ByClient {
  Params: ByMerchant['Params'] & { client_id: string };
}

export function clientSecretRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.post<ByClient>(
    '/clients/:client_id/secret-rotation',
    { config: { body: 'raw' } },
    async (request): Promise<{ client_secret: string; previous_valid_until: string | null }> => {
      const { actor, merchant } = memberOf(request);
      const { client_id } = request.params;
      const body = request.body as Buffer;
      const options = body.length === 0 ? {} : readRotation(parseJson(body));
      const act = { actor, action: 'client.rotate-secret' };
      const { answer } = await changeAsMember(deps, request, act, async (tx) => {
        await lockOwnClient(tx, merchant.merchant_id, client_id);
        const rotated = await rotateClientSecret(tx, deps, client_id, deps.clock.real(), options);
        const { client_secret, previous_valid_until: until } = rotated;
        const previous_valid_until = rfc3339OrNull(until);
        return {
          target: `client:${client_id}`,
          before: {},
          after: { previous_valid_until, secrets_set: ['client_secret'] },
          shown: 'client_secret',
          answer: { client_secret, previous_valid_until },
        };
      });
      return answer;
    },
  );
}
