/** `GET /session/list` and `DELETE /session/{session_id}`: a person's sessions, and the end of one of them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { recordOwnAct, type SignedInUser } from '../people/index.ts';
import { clearSession, requireEnrolled, sessionToken } from '../sessions/index.ts';
import { sessionJson } from './session-json.ts';
import type { SignInDeps } from './sign-in.ts';

interface BySession {
  Params: { session_id: string };
}

export function sessionListRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { sessions } = deps;

  async function requireUser(request: Pick<FastifyRequest, 'server' | 'headers'>): Promise<SignedInUser> {
    const user = await sessions.userOf(sessionToken(request));
    if (user === null) throw new AppError('authentication_required');
    return requireEnrolled(user);
  }

  app.get('/session/list', async (request) => {
    const user = await requireUser(request);
    return { items: (await sessions.listOf(user, sessionToken(request))).map(sessionJson) };
  });

  // Only the form of our ids, so that other addresses below /session stay what they are.
  app.delete<BySession>('/session/:session_id(^[\\w-]{22}$)', async (request, reply) => {
    requireSameOrigin(request);
    const user = await requireUser(request);
    const ended = await sessions.endOne(user, request.params.session_id, sessionToken(request));
    if (ended === null) throw new AppError('not_found');
    await recordOwnAct(deps.db, deps, user.user_id, 'session.end', { session_id: ended.session_id });
    if (ended.current) clearSession(reply);
    return {};
  });
}
