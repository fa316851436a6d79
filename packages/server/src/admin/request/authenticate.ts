import { sameBytes, tokenHash } from '../../base/secret-box.ts';
import { AppError } from '../../base/errors.ts';
import type { AdminDeps } from './deps.ts';

/**
 * Authenticates a caller: the holder of the administration key, or a signed-in administrator. If a key is sent, only
 * the key counts: a session does not replace a wrong key.
 *
 * @throws AppError `invalid_token`, `authentication_required`, `administrator_required`
 */
export async function authenticate(
  { config: { admin_key }, sessionUser }: Pick<AdminDeps, 'config' | 'sessionUser'>,
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
): Promise<{ actor: string; bySession: boolean }> {
  if (authorization !== undefined) {
    const sent = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    // Both digests have the same length, so the comparison reveals nothing about the key's length.
    const right =
      sent !== undefined && admin_key !== null && sameBytes(tokenHash(sent), tokenHash(admin_key));
    if (!right) throw new AppError('invalid_token', { description: 'This is not the administration key.' });
    return { actor: 'key', bySession: false };
  }
  const user = await sessionUser(cookie);
  if (user === null) throw new AppError('authentication_required');
  if (user.role !== 'admin') throw new AppError('administrator_required');
  return { actor: `user:${user.user_id}`, bySession: true };
}
