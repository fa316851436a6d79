/**
 * `POST /session/reauthenticate`: the person of a session proves to be present, by password, code or passkey. Invariant:
 * each guess counts before it is judged, in the same counts as at `/account` and at the sign-in.
 */
import { Reauthentication } from '@paydesk/contract';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { secondFactorKind, useCode, usePasskey } from '../factors/index.ts';
import { recordOwnAct } from '../people/index.ts';
import {
  clearPasskeyQuestion,
  endOfProof,
  passkeyToken,
  requireEnrolled,
  sessionToken,
} from '../sessions/index.ts';
import type { AccountRoutesDeps } from './account-page-routes.ts';
import { requirePassword } from './own-password.ts';

const readProof = reader(Reauthentication);

export function reauthenticateRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  app.post('/session/reauthenticate', async (request, reply) => {
    requireSameOrigin(request);
    const token = sessionToken(request);
    const user = requireEnrolled(await deps.sessions.userOf(token));
    if (user === null) throw new AppError('authentication_required');
    const { user_id } = user;
    const { password, code, passkey } = readProof(request.body);
    if ([password, code, passkey].filter((proof) => proof !== undefined).length !== 1) {
      throw new AppError('invalid_request', { description: 'Send one of password, code and passkey.' });
    }
    if (password !== undefined) await requirePassword(deps, user, password);
    if (code !== undefined) await requireCode(deps, user_id, code);
    if (passkey !== undefined) {
      await requirePasskey(deps, request, user_id, passkey as unknown as AuthenticationResponseJSON);
      clearPasskeyQuestion(reply);
    }
    const proved_at = await deps.sessions.prove(token);
    return { user_id, name: user.name, valid_until: rfc3339(endOfProof(proved_at)) };
  });
}

/** Throws `invalid_code`, `rate_limited`. */
async function requireCode(deps: AccountRoutesDeps, user_id: string, code: string): Promise<void> {
  const kind = secondFactorKind(code);
  await deps.limits.take(kind, user_id);
  if (!(await useCode(deps, user_id, code))) await refuseFactor(deps, user_id, 'code');
  await deps.limits.forget(kind, user_id);
}

/** Another person's passkey proves nothing. Throws `invalid_code`, `rate_limited`. */
async function requirePasskey(
  deps: AccountRoutesDeps,
  request: FastifyRequest,
  user_id: string,
  answer: AuthenticationResponseJSON,
): Promise<void> {
  await deps.limits.take('sign_in_address', request.client_ip);
  const used = await usePasskey(deps, passkeyToken(request), answer).catch((refusal: unknown) => {
    if (refusal instanceof AppError && refusal.code === 'invalid_code') return null;
    throw refusal;
  });
  if (used?.user_id !== user_id) await refuseFactor(deps, user_id, 'passkey');
  await deps.limits.giveBack('sign_in_address', request.client_ip);
}

/** Throws `invalid_code`. The audit log has it, as a wrong password: a session may be stolen (D-1339). */
async function refuseFactor(
  deps: AccountRoutesDeps,
  user_id: string,
  factor: 'code' | 'passkey',
): Promise<never> {
  await recordOwnAct(deps.db, deps, user_id, 'factor.check-failed', { factor });
  throw new AppError('invalid_code');
}
