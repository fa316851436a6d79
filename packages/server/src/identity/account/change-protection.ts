import type { Database, Tx } from '../../base/pg/index.ts';
import { demandFactorShown } from '../factors/index.ts';
import { lockPerson, type SignedInUser } from '../people/index.ts';
import { demandSession } from '../sessions/index.ts';

/**
 * Changes how an account is protected, under the person's lock. It is refused if the session that asks for it has ended
 * meanwhile: so a thief whose sessions were ended leaves no passkey behind (D-1100). Because of the lock, the session of a sign-in
 * that found no factor is older than a factor that is added here, and so it is refused afterwards (D-1001).
 *
 * @throws AppError `authentication_required`; as `demandFactorShown`, because a factor may have been set up meanwhile (D-1060)
 */
export const changeProtection = <T>(
  { db }: { db: Database },
  user: Pick<SignedInUser, 'user_id' | 'signed_in_at'>,
  change: (tx: Tx) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockPerson(tx, user.user_id);
    await demandSession(tx, `user:${user.user_id}`);
    await demandFactorShown(tx, user);
    return change(tx);
  });
