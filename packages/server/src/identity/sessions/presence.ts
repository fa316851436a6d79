/** Step-up: dangerous writes of a session need a recent proof that its person is present. */
import { AppError } from '../../base/errors.ts';
import { later, minutes } from '../../base/time/clock.ts';

/** How long a proof counts; real time. */
const proofLife_ms = minutes(10);

/** When a proof stops to count. */
export const endOfProof = (proved_at: Date): Date => later(proved_at, proofLife_ms);

/** Throws `reauthentication_required` where the last proof is too old. */
export function requirePresence(proved_at: Date, now: Date): void {
  if (now >= endOfProof(proved_at)) throw new AppError('reauthentication_required');
}
