import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance } from 'fastify';
import type { JsonValue } from '../../base/input/json.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { selectOneTime } from '../one-time-tokens/index.ts';
import {
  forgetPasskeyQuestion,
  forgetPending,
  fromOf,
  giveSession,
  keepPasskeyQuestion,
  passkeyToken,
  pendingToken,
} from '../sessions/index.ts';
import { beginUse, passkeysPossible, usePasskey } from '../factors/index.ts';
import { beginFor } from './sign-in.ts';
import { objectOf, personJson } from './session-json.ts';
import type { SessionRoutesDeps } from './session-routes.ts';

/** Signing in by a passkey: a question, and the device's answer. */
export function passkeySignInRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  if (!passkeysPossible(deps.origin)) return;

  app.post('/session/passkey/options', async (request, reply) => {
    requireSameOrigin(request);
    await deps.limits.check('sign_in_address', request.client_ip);
    const pending = pendingToken(request);
    const known =
      pending === null ? null : await selectOneTime(deps.db, pending, 'second_factor', deps.clock.real());
    const { options, token } = await beginUse(deps, known?.user_id ?? null);
    keepPasskeyQuestion(reply, token);
    return options;
  });

  app.post('/session/passkey', async (request, reply) => {
    requireSameOrigin(request);
    const answer = objectOf(request.body as JsonValue) as unknown as AuthenticationResponseJSON;
    await deps.limits.check('sign_in_address', request.client_ip);
    let user_id: string;
    try {
      user_id = await usePasskey(deps, passkeyToken(request), answer);
    } catch (error) {
      await deps.limits.take('sign_in_address', request.client_ip);
      throw error;
    }
    const { person, token } = await beginFor(deps, user_id, fromOf(request));
    giveSession(reply, token);
    forgetPasskeyQuestion(reply);
    forgetPending(reply);
    return personJson(person);
  });
}
