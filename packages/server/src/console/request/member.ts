/** Who makes a console call: a signed-in person as a member of one merchant. */
import type { ConsoleRole } from '@paydesk/contract';
import type { FastifyRequest } from 'fastify';
import { AppError, InvariantError } from '../../base/errors.ts';
import { merchantIdOf } from '../../base/ids.ts';
import type { SessionUser, SignedInUser } from '../../identity/people/index.ts';
import { useBy } from '../../identity/sessions/index.ts';
import { roleAt, type Merchant, selectMerchant } from '../../merchants/index.ts';
import type { ConsoleDeps } from './deps.ts';

/** The person of a call, and the only merchant that the call may touch (D-223). */
export interface Member {
  /** The person's name in the audit log. */
  actor: string;
  role: ConsoleRole;
  merchant: Merchant;
}

/** A call about one merchant. */
export interface ByMerchant {
  Params: { merchant_no: string };
}

/** A call that lists something. */
export interface Listing {
  Querystring: Record<string, unknown>;
}

/** Any request, used as a key. */
export type Request = Pick<FastifyRequest, 'id'>;

const members = new WeakMap<Request, Member>();

/** The signed-in person. Throws `authentication_required` if there is none. */
export async function requirePerson(
  { sessionUser }: Pick<ConsoleDeps, 'sessionUser'>,
  headers: FastifyRequest['headers'],
): Promise<Pick<SignedInUser, 'user_id' | 'proved_at'>> {
  const user = await sessionUser(headers.cookie, useBy(headers));
  if (user === null) throw new AppError('authentication_required', { description: 'Sign in first.' });
  return user;
}

/**
 * Lets a person into the console of a merchant. It reads the database for every call, so that a removed person loses
 * access at once. An unknown merchant and another person's merchant give the same error.
 *
 * @throws AppError `not_found`
 */
export async function authorizeMember(
  { db }: Pick<ConsoleDeps, 'db'>,
  request: Request,
  { user_id }: Pick<SessionUser, 'user_id'>,
  merchant_no: string,
): Promise<void> {
  const merchant_id = merchantIdOf(merchant_no);
  const merchant = merchant_id === null ? null : await selectMerchant(db, merchant_id);
  const role = merchant === null ? null : await roleAt(db, merchant, user_id);
  if (merchant === null || role === null) throw new AppError('not_found');
  members.set(request, { actor: `user:${user_id}`, role, merchant });
}

/** The member that `authorizeMember` stored for this request. */
export function memberOf(request: Request): Member {
  const member = members.get(request);
  if (member === undefined) throw new InvariantError('a console call without a member');
  return member;
}

/** The merchant in whose console a request acts; null for other requests. */
export const actingMerchant = (request: Request): string | null =>
  members.get(request)?.merchant.merchant_id ?? null;

/** The member's name in the audit log and in the limits. */
export const actorOf = (request: Request): string => memberOf(request).actor;
