/** Who may use a test channel. */

/** The lists of a test channel. A list without entries admits everyone, if the other has entries. */
export interface DebugGrants {
  debug_merchants: string[];
  debug_users: string[];
}

/**
 * The merchant side of a debug grant: at least one list has entries, and a merchant list contains this merchant
 * . Where no buyer is known, this side alone decides (R-169, D-128), such as when an order is created
 * (R-170, D-129).
 */
export function grantsMerchant(grants: DebugGrants, merchant_id: string): boolean {
  const { debug_merchants } = grants;
  return debug_merchants.length === 0 ? namesBuyers(grants) : debug_merchants.includes(merchant_id);
}

/** Whether the grant is for certain buyers only. Then every buyer must sign in. */
export const namesBuyers = ({ debug_users }: Pick<DebugGrants, 'debug_users'>): boolean =>
  debug_users.length > 0;

/**
 * The whole debug grant for one buyer at one merchant (D-127). Every list that has entries must match (R-163, R-164,
 * R-165), by one entry. Administrators need it too. `user_id` is null for a guest.
 */
export function grantsBuyer(grants: DebugGrants, merchant_id: string, user_id: string | null): boolean {
  if (!grantsMerchant(grants, merchant_id)) return false;
  return !namesBuyers(grants) || (user_id !== null && grants.debug_users.includes(user_id));
}
