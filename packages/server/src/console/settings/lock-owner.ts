import type { Tx } from '../../base/pg/index.ts';
import { demandUnchanged } from '../../identity/people/index.ts';
import { demandSession } from '../../identity/sessions/index.ts';
import { demandOwner, type Merchant } from '../../merchants/index.ts';

/**
 * Locks who changes the people of a merchant, and the merchant: so the change comes before the end of their account or role,
 * or is refused (D-975, D-1004).
 *
 * @throws AppError `authentication_required` if the account is disabled or the session has ended; `role_required`
 */
export async function demandActiveOwner(tx: Tx, merchant: Merchant, actor: string): Promise<void> {
  await demandUnchanged(tx, { user_id: actor.replace(/^user:/, '') });
  await demandOwner(tx, merchant, actor);
  await demandSession(tx, actor);
}
