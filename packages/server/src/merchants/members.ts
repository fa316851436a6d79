import type { ConsoleRole } from '@paydesk/contract';
import { isUniqueViolation, type Queryable, type Tx } from '../base/pg/index.ts';
import { selectMerchant } from './merchant.sql.ts';
import { AppError, invalid } from '../base/errors.ts';
import {
  deleteMember,
  insertMember,
  selectMemberForUpdate,
  selectMembers,
  selectMerchantsOf,
  selectRole,
  updateMemberRole,
} from './member.sql.ts';
import type { Merchant } from './merchant.ts';

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
    [...found].map(async ([merchant_id, role]) => ({
      merchant: await selectMerchant(db, merchant_id),
      role,
    })),
  );
  return all
    .flatMap(({ merchant, role }) => (merchant === null ? [] : [{ merchant, role }]))
    .sort((a, b) => a.merchant.name.localeCompare(b.merchant.name));
}

const mostMembers = 100;

/** The people who work for a merchant beside the person who holds it, those who came first first; at most 100. */
export const listMembers = (db: Queryable, merchant_id: string): Promise<Member[]> =>
  selectMembers(db, merchant_id, mostMembers);

/**
 * Lets a person work for a merchant.
 *
 * @throws AppError `already_exists` for one who does, `invalid_request` where there are too many
 */
export async function addMember(
  tx: Tx,
  { merchant_id, owner_user_id }: Merchant,
  person: Omit<Member, 'merchant_id'>,
): Promise<void> {
  const description = 'This person works for the merchant already.';
  if (person.user_id === owner_user_id) throw new AppError('already_exists', { description });
  if ((await listMembers(tx, merchant_id)).length >= mostMembers) {
    throw invalid('email', `A merchant has at most ${mostMembers} people.`);
  }
  try {
    await tx.write([insertMember({ merchant_id, ...person })]);
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('already_exists', { description }) : error;
  }
}

/**
 * Gives a person another role.
 *
 * @throws AppError `owner_required` for whoever holds the merchant, `not_found` for others who do not work for it
 */
export async function changeRole(
  tx: Tx,
  merchant: Merchant,
  user_id: string,
  role: MemberRole,
): Promise<{ before: Member; after: Member }> {
  const before = await lockMember(tx, merchant, user_id);
  const after = { ...before, role };
  await tx.write([updateMemberRole(after)]);
  return { before, after };
}

/** Lets a person work for a merchant no more. Throws as `changeRole` does. */
export async function removeMember(tx: Tx, merchant: Merchant, user_id: string): Promise<Member> {
  const member = await lockMember(tx, merchant, user_id);
  await tx.write([deleteMember(member)]);
  return member;
}

/** Whoever holds the merchant stays its owner, so that it always has one. */
async function lockMember(
  tx: Tx,
  { merchant_id, owner_user_id }: Merchant,
  user_id: string,
): Promise<Member> {
  if (user_id === owner_user_id) throw new AppError('owner_required');
  const member = await selectMemberForUpdate(tx, merchant_id, user_id);
  if (member === null) throw new AppError('not_found');
  return member;
}
