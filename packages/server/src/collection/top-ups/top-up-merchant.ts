/** Which merchant people can top up at. */
import { merchantIdOf } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { platformRoleOf, selectPerson } from '../../identity/people/index.ts';
import { selectMerchant } from '../../merchants/index.ts';

/**
 * The merchant of this number, if it can sell PTK: it is active, gives at once, and is the platform's own, because its owner
 * has a role on the platform. Another merchant would pay for disputes with its own money, and see who tops up (D-359).
 */
export async function selectTopUpMerchant(db: Queryable, merchant_no: string | null): Promise<string | null> {
  const merchant_id = merchant_no === null ? null : merchantIdOf(merchant_no);
  const merchant = merchant_id === null ? null : await selectMerchant(db, merchant_id);
  if (merchant?.status !== 'active' || merchant.hold_days !== 0) return null;
  const owner = await selectPerson(db, merchant.owner_user_id);
  return owner === null || platformRoleOf(owner.role) === null ? null : merchant.merchant_id;
}
