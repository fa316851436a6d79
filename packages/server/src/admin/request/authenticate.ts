/** Authenticates callers of the administration API: by an administration key or by a session of platform staff. */
import type { PlatformRole } from '@paydesk/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sameBytes, tokenHash } from '../../base/secret-box.ts';
import { platformRoleOf } from '../../identity/people/index.ts';
import { useBy } from '../../identity/sessions/index.ts';
import { environmentActor, keyActor, useKey } from '../keys/index.ts';
import type { AdminDeps } from './deps.ts';

type Deps = Pick<AdminDeps, 'config' | 'sessionUser' | 'limits' | 'db' | 'clock' | 'log'>;
type Request = Pick<FastifyRequest, 'raw' | 'headers' | 'client_ip' | 'client_address' | 'log'>;

/** Who makes a call. */
export interface Caller {
  /** The name in the audit log: `user:` and the person's id, `key:` and the key's id, or the environment's key. */
  actor: string;
  role: PlatformRole;
  bySession: boolean;
  /** When the person of the session last proved to be present; null for keys, which need no proof. */
  proved_at: Date | null;
}

/**
 * Finds the caller of a request. If a key was sent, only the key counts: a session cannot make up for a wrong one.
 *
 * @throws AppError `invalid_token`; `rate_limited` for every wrong key after ten of one address in a minute;
 *   `authentication_required`; `administrator_required`
 */
export async function authenticate(deps: Deps, request: Request): Promise<Caller> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    // Node.js keeps the first of several, and a proxy may have checked another one (H-14).
    if ((request.raw.headersDistinct.authorization ?? []).length > 1) throw new AppError('invalid_token');
    return callerByKey(deps, authorization, request);
  }
  const user = await deps.sessionUser(cookie, useBy(request.headers));
  if (user === null) throw new AppError('authentication_required');
  const role = platformRoleOf(user.role);
  if (role === null) throw new AppError('administrator_required');
  return { actor: `user:${user.user_id}`, role, bySession: true, proved_at: user.proved_at };
}

/**
 * The caller with this key: the key of the environment, or a named key. A named key that is revoked, expired or used from
 * another address gets the answer of an unknown key, so that a stranger does not learn which text is a key.
 */
async function callerByKey(deps: Deps, authorization: string, request: Request): Promise<Caller> {
  const { client_ip, client_address, log } = request;
  const {
    config: { admin_key },
    limits,
  } = deps;
  const sent = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  // Digests have one length, so that the time of the comparison does not reveal the length of the key. The right key
  // always passes: it is too long to be guessed, and strangers behind the same proxy must not shut out its holder.
  if (sent !== undefined && admin_key !== null && sameBytes(tokenHash(sent), tokenHash(admin_key))) {
    return { actor: environmentActor, role: 'admin', bySession: false, proved_at: null };
  }
  const named = sent === undefined ? null : await useKey(deps, sent, client_address);
  if (named !== null) return { actor: keyActor(named), role: named.role, bySession: false, proved_at: null };
  log.warn({ address: client_ip }, 'wrong administration key');
  await limits.take('admin_key_failures', client_ip);
  throw new AppError('invalid_token', {
    description: 'This is not an administration key that is valid now and from this address.',
  });
}
