/**
 * Who may act for a merchant: the person who holds it, and the people who work for it. Invariant: the holder is
 * always an owner, so a merchant is never without one.
 */
import type { ConsoleRole } from '@paydesk/contract';
import { isUniqueViolation, type Queryable, type Tx } from '../base/pg/index.ts';
import { selectMerchant, selectMerchantForUpdate } from './merchant.sql.ts';
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

/** The role of a person at a merchant. */
export type MemberRole = ConsoleRole;

/** A person who works for a merchant and does not hold it. */
export interface Member {
  merchant_id: string;
  user_id: string;
  role: MemberRole;
  /** The actor, as the audit log names it. */
  added_by: string;
  added_at: Date;
}

/** The current role of a person, from the database; null without one. The holder is an owner. */
export async function roleAt(db: Queryable, merchant: Merchant, user_id: string): Promise<MemberRole | null> {
  return merchant.owner_user_id === user_id ? 'owner' : selectRole(db, merchant.merchant_id, user_id);
}

/**
 * Lets changes of a merchant's people wait for each other, and refuses one of a person who is no owner any more: so no one
 * undoes what takes the role from them just now (D-975).
 *
 * @param actor as the audit log names the person
 * @throws AppError `role_required`
 */
export async function demandOwner(tx: Tx, { merchant_id }: Merchant, actor: string): Promise<void> {
  const merchant = await selectMerchantForUpdate(tx, merchant_id);
  const role = merchant === null ? null : await roleAt(tx, merchant, actor.replace(/^user:/, ''));
  if (role !== 'owner') throw new AppError('role_required');
}

const maxMerchants = 200;

/** The merchants that a person holds or works for, with the role, sorted by name; at most 200. */
export async function merchantsOf(
  db: Queryable,
  user_id: string,
): Promise<{ merchant: Merchant; role: MemberRole }[]> {
  const found = new Map<string, MemberRole>();
  for (const { merchant_id, role } of await selectMerchantsOf(db, user_id, maxMerchants)) {
    // The holder may have an older row with another role.
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

const maxMembers = 100;

/** The people who work for a merchant, without the holder, in the order in which they were added; at most 100. */
export const listMembers = (db: Queryable, merchant_id: string): Promise<Member[]> =>
  selectMembers(db, merchant_id, maxMembers);

/**
 * Adds a person to a merchant.
 *
 * @throws AppError `already_exists` where the person has a role; `invalid_request` where there are too many
 */
export async function addMember(
  tx: Tx,
  { merchant_id, owner_user_id }: Merchant,
  person: Omit<Member, 'merchant_id'>,
): Promise<void> {
  const description = 'This person works for the merchant already.';
  if (person.user_id === owner_user_id) throw new AppError('already_exists', { description });
  if ((await listMembers(tx, merchant_id)).length >= maxMembers) {
    throw invalid('email', `A merchant has at most ${maxMembers} people.`);
  }
  try {
    await tx.write([insertMember({ merchant_id, ...person })]);
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('already_exists', { description }) : error;
  }
}

/**
 * Changes the role of a person.
 *
 * @throws AppError `owner_required` for the holder; `not_found` for a person who does not work for the merchant
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

/** Removes a person from a merchant. Throws as `changeRole` does. */
export async function removeMember(tx: Tx, merchant: Merchant, user_id: string): Promise<Member> {
  const member = await lockMember(tx, merchant, user_id);
  await tx.write([deleteMember(member)]);
  return member;
}

/** Locks the row of a person. Throws `owner_required` for the holder, so that the merchant keeps its owner. */
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

/** The ids of all owners of a merchant: its holder and the members with that role. */
export const ownersOf = (db: Queryable, merchant: Merchant): Promise<string[]> =>
  peopleOf(db, merchant, ['owner']);

/** The ids of the people with one of these roles, each once. The holder is an owner. */
export async function peopleOf(
  db: Queryable,
  { merchant_id, owner_user_id }: Merchant,
  roles: readonly MemberRole[],
): Promise<string[]> {
  const members = await listMembers(db, merchant_id);
  const found = members.filter(({ role }) => roles.includes(role)).map(({ user_id }) => user_id);
  return [...new Set([...(roles.includes('owner') ? [owner_user_id] : []), ...found])];
}
