/** Entries of the audit log about people's own accounts: sign-ins, passwords, factors, sessions. */
import { recordAct } from '../../base/audit/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Clock } from '../../base/time/clock.ts';
import { emailKey } from './email.ts';

interface ActDeps {
  clock: Clock;
  ids: IdSource;
}

/** Records what a person did to their own account. `detail` has no secret. */
export const recordOwnAct = (
  db: Queryable,
  deps: ActDeps,
  user_id: string,
  action: string,
  detail: Record<string, unknown> | null = null,
): Promise<void> => {
  const person = `user:${user_id}`;
  return recordAct(db, deps, { actor: person, action, target: person, after: detail });
};

/** Records that a person was shown a secret once. */
export const recordShown = (
  db: Queryable,
  deps: ActDeps,
  user_id: string,
  secret: 'recovery_codes' | 'totp_secret',
): Promise<void> => recordOwnAct(db, deps, user_id, 'secret.show', { secret });

/**
 * Records a sign-in that failed. It is called only for tries that a limit has let through, so the limits bound what
 * strangers can write (docs/accounts.md).
 *
 * @param target `user:` and the person's id; or what `unknownAccount` returns
 */
export const recordFailedSignIn = (
  db: Queryable,
  deps: ActDeps,
  { target, method }: { target: string; method: 'password' | 'code' | 'passkey' },
): Promise<void> =>
  recordAct(db, deps, { actor: 'anonymous', action: 'session.sign-in-failed', target, after: { method } });

/**
 * The target of a try for an address without an account. What was typed is not stored, because people type passwords into
 * this field; a keyed digest of it shows which tries were for the same address.
 */
export const unknownAccount = (box: Pick<SecretBox, 'digest'>, email: string): string =>
  `account:${box.digest('audit-account', emailKey(email)).toString('base64url').slice(0, 22)}`;
