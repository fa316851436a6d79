/** Step-up: dangerous writes of a session need a recent proof that its person is present (D-202). */
import { AppError } from '../../base/errors.ts';
import { later, minutes } from '../../base/time/clock.ts';

/** How long a proof counts; real time. */
const proofLife_ms = minutes(10);

/** When a proof stops to count. */
export const endOfProof = (proved_at: Date): Date => later(proved_at, proofLife_ms);

/** Whether the last proof still counts. */
export const isPresent = (proved_at: Date, now: Date): boolean => now < endOfProof(proved_at);

/** Throws `reauthentication_required` where the last proof is too old. */
export function requirePresence(proved_at: Date, now: Date): void {
  if (!isPresent(proved_at, now)) throw new AppError('reauthentication_required');
}
