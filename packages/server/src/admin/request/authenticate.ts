/** Authenticates callers of the administration API: by the administration key or by a session of platform staff. */
import type { PlatformRole } from '@paydesk/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sameBytes, tokenHash } from '../../base/secret-box.ts';
import { platformRoleOf } from '../../identity/people/index.ts';
import type { AdminDeps } from './deps.ts';

type Deps = Pick<AdminDeps, 'config' | 'sessionUser' | 'limits'>;
type Request = Pick<FastifyRequest, 'headers' | 'client_ip' | 'log'>;

/** Who makes a call. */
export interface Caller {
  /** The name in the audit log: `key`, or `user:` and the person's id. */
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
    await checkKey(deps, authorization, request);
    return { actor: 'key', role: 'admin', bySession: false, proved_at: null };
  }
  const user = await deps.sessionUser(cookie);
  if (user === null) throw new AppError('authentication_required');
  const role = platformRoleOf(user.role);
  if (role === null) throw new AppError('administrator_required');
  return { actor: `user:${user.user_id}`, role, bySession: true, proved_at: user.proved_at };
}

async function checkKey(
  { config: { admin_key }, limits }: Deps,
  authorization: string,
  { client_ip, log }: Request,
): Promise<void> {
  const sent = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  // Digests have one length, so that the time of the comparison does not reveal the length of the key. The right key
  // always passes: it is too long to be guessed, and strangers behind the same proxy must not shut out its holder.
  if (sent !== undefined && admin_key !== null && sameBytes(tokenHash(sent), tokenHash(admin_key))) return;
  log.warn({ address: client_ip }, 'wrong administration key');
  await limits.take('admin_key_failures', client_ip);
  throw new AppError('invalid_token', { description: 'This is not the administration key.' });
}
