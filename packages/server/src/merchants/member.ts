import type { ConsoleRole } from '@paydesk/contract';
import type { Queryable } from '../base/db.ts';
import { selectMerchantsOf, selectRole } from './member.sql.ts';
import type { Merchant } from './merchant.ts';
import { readMerchant } from './read-merchants.ts';

/** What a person may be to a merchant. */
export type MemberRole = ConsoleRole;

/** Someone who works for a merchant, beside the person who holds it. */
export interface Member {
  merchant_id: string;
  user_id: string;
  role: MemberRole;
  /** As the audit log names people. */
  added_by: string;
  added_at: Date;
}

/** What a person is to a merchant, as the database has it now; null for nothing. Whoever holds it is an owner. */
export async function roleAt(db: Queryable, merchant: Merchant, user_id: string): Promise<MemberRole | null> {
  return merchant.owner_user_id === user_id ? 'owner' : selectRole(db, merchant.merchant_id, user_id);
}

const mostMerchants = 200;

/** The merchants that a person holds or works for, by name, each with the role there; at most 200. */
export async function merchantsOf(
  db: Queryable,
  user_id: string,
): Promise<{ merchant: Merchant; role: MemberRole }[]> {
  const found = new Map<string, MemberRole>();
  for (const { merchant_id, role } of await selectMerchantsOf(db, user_id, mostMerchants)) {
    // Whoever holds a merchant may stand among its people as well, from before.
    if (role === 'owner' || !found.has(merchant_id)) found.set(merchant_id, role);
  }
  const all = await Promise.all(
    [...found].map(async ([merchant_id, role]) => ({ merchant: await readMerchant(db, merchant_id), role })),
  );
  return all
    .flatMap(({ merchant, role }) => (merchant === null ? [] : [{ merchant, role }]))
    .sort((a, b) => a.merchant.name.localeCompare(b.merchant.name));
}
