/** `/account/passkeys`: adds and removes passkeys. Adding one needs a script in the browser. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import {
  checkNewPasskey,
  passkeysPossible,
  removePasskey,
  savePasskey,
  startPasskeyRegistration,
} from '../factors/index.ts';
import type { SignedInUser } from '../people/index.ts';
import { passkeyToken, setPasskeyQuestion } from '../sessions/index.ts';
import { objectOf } from '../sign-in/index.ts';
import type { AccountPage, AccountRoutesDeps } from './account-page-routes.ts';
import { changeProtection } from './change-protection.ts';
import { requirePassword } from './own-password.ts';

export function passkeyRoutes(app: FastifyInstance, page: AccountPage, deps: AccountRoutesDeps): void {
  page.passwordForm('/passkeys/remove', async (sent) => {
    const { user, form } = sent;
    await changeProtection(deps, user, (tx) =>
      removePasskey(tx, deps, user.user_id, form.get('credential_id') ?? ''),
    );
    await page.rotateSession(sent);
    return page.redirectDone(sent.reply, 'saved');
  });

  if (!passkeysPossible(deps.origin)) return;

  app.post('/account/passkeys/options', async (request, reply) => {
    const user = await requireUser(page, request);
    const { password } = objectOf(request.body as JsonValue);
    await requirePassword(deps, user, typeof password === 'string' ? password : '');
    const { options, token } = await startPasskeyRegistration(deps, user);
    setPasskeyQuestion(reply, token);
    return options;
  });

  app.post('/account/passkeys', async (request, reply) => {
    const user = await requireUser(page, request);
    const answer = objectOf(request.body as JsonValue) as unknown as RegistrationResponseJSON;
    const passkey = await checkNewPasskey(deps, user.user_id, passkeyToken(request), answer);
    await changeProtection(deps, user, (tx) => savePasskey(tx, deps, passkey));
    await page.rotateSession({ user, request, reply });
    return {};
  });
}

/** The signed-in person of a request from our own origin. Throws `cross_site_request`, `authentication_required`. */
async function requireUser(page: AccountPage, request: FastifyRequest): Promise<SignedInUser> {
  requireSameOrigin(request);
  const user = await page.userOf(request);
  if (user === null) throw new AppError('authentication_required');
  return user;
}
