/** `/session/passkey`: signing in by a passkey, alone or as the second factor after a password. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { languageOf } from '../../http/page-context.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { passkeysPossible, pendingSecondFactor, startPasskeyUse, usePasskey } from '../factors/index.ts';
import { recordFailedSignIn, rememberLocale } from '../people/index.ts';
import {
  browserOf,
  clearPasskeyQuestion,
  clearPending,
  passkeyToken,
  pendingToken,
  setPasskeyQuestion,
} from '../sessions/index.ts';
import { beginInBrowser } from './browser-sign-in.ts';
import { objectOf, personJson } from './session-json.ts';
import type { SessionRoutesDeps } from './session-routes.ts';
import { beginSessionFor } from './sign-in.ts';

/** Registers the routes, unless this origin cannot have passkeys. */
export function passkeySignInRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  if (!passkeysPossible(deps.origin)) return;

  app.post('/session/passkey/options', async (request, reply) => {
    requireSameOrigin(request);
    await deps.limits.take('passkey_options', request.client_ip);
    const user_id = await pendingSecondFactor(deps, pendingToken(request));
    const { options, token } = await startPasskeyUse(deps, user_id);
    setPasskeyQuestion(reply, token);
    return options;
  });

  app.post('/session/passkey', async (request, reply) => {
    requireSameOrigin(request);
    const answer = objectOf(request.body as JsonValue) as unknown as AuthenticationResponseJSON;
    await deps.limits.take('sign_in_address', request.client_ip);
    const used = await usePasskey(deps, passkeyToken(request), answer).catch(async (refusal: unknown) => {
      // The account that was meant is unknown.
      const failed = { target: 'passkey', method: 'passkey' } as const;
      if (refusal instanceof AppError) await recordFailedSignIn(deps.db, deps, failed);
      throw refusal;
    });
    await deps.limits.giveBack('sign_in_address', request.client_ip);
    const { user_id, credential_id } = used;
    const session = await beginSessionFor(deps, user_id, browserOf(request), credential_id);
    await beginInBrowser(deps, { ...session, method: 'passkey' }, request, reply);
    // As after a sign-in by password (D-340).
    await rememberLocale(deps.db, user_id, languageOf(request));
    clearPasskeyQuestion(reply);
    clearPending(reply);
    return personJson(session.person);
  });
}
