/** Ends the invitations of a person who may no longer invite. */
import { logAct } from '../base/audit/index.ts';
import { type IdSource, merchantNo } from '../base/ids.ts';
import type { Tx } from '../base/pg/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { deleteInvitationsBy } from './invitation.sql.ts';

/**
 * Removes every invitation that a person has sent, with an entry in the audit log for each. Call it in the transaction
 * that takes the person's role or access away.
 *
 * @param merchant_id the only merchant; null for all
 */
export async function endInvitationsBy(
  tx: Tx,
  deps: { clock: Clock; ids: IdSource },
  { user_id, merchant_id }: { user_id: string; merchant_id: string | null },
  by: { actor: string; reason?: string | null },
): Promise<void> {
  for (const gone of await deleteInvitationsBy(tx, `user:${user_id}`, merchant_id)) {
    const { invitation_id, email, role } = gone;
    const target = `merchant:${merchantNo(gone.merchant_id)}`;
    const act = { ...by, action: 'member.withdraw-invitation' };
    await logAct(tx, deps, act, { target, before: { invitation_id, email, role }, after: null });
  }
}
