/**
 * Invitations to work for a merchant. Invariants: the answer to the inviter is the same whether or not the address has an
 * account; a link works once, for seven days, as long as the inviter is an owner, and only for a person who is signed in with the
 * invited address.
 */
import type { ConsoleRole } from '@paydesk/contract';
import { invitationMail } from '@paydesk/checkout';
import { logAct, runAudited } from '../../base/audit/index.ts';
import { AppError, invalid } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { days, later, rfc3339 } from '../../base/time/clock.ts';
import { type SendDeps, sendQueued } from '../../identity/mail/index.ts';
import {
  checkEmail,
  emailKey,
  type Person,
  selectLocale,
  selectPerson,
  selectPersonByEmail,
} from '../../identity/people/index.ts';
import {
  addMember,
  claimInvitation,
  deleteExpiredInvitations,
  deleteInvitation,
  endInvitationMail,
  type Invitation,
  listMembers,
  type Merchant,
  roleAt,
  selectInvitationByToken,
  selectInvitations,
  selectMerchant,
  selectMerchantForUpdate,
  updateInvitationToken,
  upsertInvitation,
} from '../../merchants/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { demandActiveOwner } from './lock-owner.ts';

const linkLife_ms = days(7);
const maxWaiting = 100;

type Deps = Pick<ConsoleDeps, 'db' | 'clock' | 'ids' | 'mail'>;

export const invitationJson = ({ invitation_id, email, role, invited_at, expires_at }: Invitation) => ({
  ...{ invitation_id, email, role, status: 'pending' as const },
  ...{ invited_at: rfc3339(invited_at), expires_at: rfc3339(expires_at) },
});

/**
 * Invites an address. A service without mail can send no link: there, a person with an account is added at once, and the
 * answer is still the same.
 *
 * @throws AppError `already_exists` for a person who works for the merchant; `invalid_request`; `role_required`
 */
export async function invite(
  deps: Deps,
  { actor, merchant }: { actor: string; merchant: Merchant },
  { email, role, locale }: { email: string; role: ConsoleRole; locale: string },
): Promise<Invitation> {
  const { db, clock, ids, mail } = deps;
  const now = clock.real();
  const invitation: Invitation = {
    ...{ invitation_id: `iv_${ids.ulid(now)}`, merchant_id: merchant.merchant_id, role, locale, tries: 0 },
    ...{ email: emailKey(checkEmail(email)), invited_by: actor },
    ...{ invited_at: now, expires_at: later(now, linkLife_ms), due_at: mail ? now : null },
  };
  const target = targetOf(merchant);
  await db.transaction(async (tx) => {
    await demandActiveOwner(tx, merchant, actor);
    const person = await selectPersonByEmail(tx, invitation.email);
    await refuseMember(tx, merchant, person);
    if (!mail && person !== null) {
      const { user_id } = person;
      await addMember(tx, merchant, { user_id, role, added_by: actor, added_at: clock.now() });
      return logAct(
        tx,
        deps,
        { actor, action: 'member.add' },
        { target, before: null, after: { user_id, role } },
      );
    }
    if ((await selectInvitations(tx, merchant.merchant_id, now)).length >= maxWaiting) {
      throw invalid('email', `A merchant has at most ${maxWaiting} invitations.`);
    }
    await upsertInvitation(tx, invitation);
    const after = { invitation_id: invitation.invitation_id, email: invitation.email, role };
    return logAct(tx, deps, { actor, action: 'member.invite' }, { target, before: null, after });
  });
  return invitation;
}

/** The inviter sees the members anyway, so this tells nothing new. */
async function refuseMember(tx: Tx, merchant: Merchant, person: Person | null): Promise<void> {
  if (person === null) return;
  const members = await listMembers(tx, merchant.merchant_id);
  const isMember = members.some(({ user_id }) => user_id === person.user_id);
  if (isMember || merchant.owner_user_id === person.user_id) {
    throw new AppError('already_exists', { description: 'This person works for the merchant already.' });
  }
}

/** Takes an invitation back; its link ends. Throws `not_found`; as `demandActiveOwner`. */
export async function withdrawInvitation(
  deps: Deps,
  { actor, merchant }: { actor: string; merchant: Merchant },
  invitation_id: string,
): Promise<void> {
  await runAudited(deps, { actor, action: 'member.withdraw-invitation' }, async (tx) => {
    await demandActiveOwner(tx, merchant, actor);
    const gone = await deleteInvitation(tx, merchant.merchant_id, invitation_id);
    if (gone === null) throw new AppError('not_found');
    return {
      target: targetOf(merchant),
      before: { invitation_id, email: gone.email, role: gone.role },
      after: null,
    };
  });
}

/** What a link is about, for the person who has opened it. */
export type Opened =
  | { state: 'over' }
  | { state: 'other' }
  | { state: 'open'; invitation: Invitation; merchant: Merchant };

/** Reads what a link is about. `other`: it was sent to another address than the person's. */
export async function openInvitation(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
  user_id: string,
): Promise<Opened> {
  const invitation = await selectInvitationByToken(db, tokenHash(token), clock.real());
  const merchant = invitation === null ? null : await selectMerchant(db, invitation.merchant_id);
  if (invitation === null || merchant === null) return { state: 'over' };
  if (!(await mayInvite(db, merchant, invitation))) return { state: 'over' };
  const person = await selectPerson(db, user_id);
  if (person === null || emailKey(person.email) !== invitation.email) return { state: 'other' };
  return { state: 'open', invitation, merchant };
}

/** Whether the inviter is still an owner. An invitation that was under way when its inviter was removed is stored later. */
async function mayInvite(db: Queryable, merchant: Merchant, { invited_by }: Invitation): Promise<boolean> {
  const inviter = await selectPerson(db, invited_by.replace(/^user:/, ''));
  if (inviter === null || inviter.disabled_at !== null) return false;
  return (await roleAt(db, merchant, inviter.user_id)) === 'owner';
}

/**
 * Lets the person of an opened link work for the merchant. If two calls come at once, one wins, and the other is `over`.
 *
 * @throws AppError `already_exists`, `invalid_request` as `addMember`
 */
export async function acceptInvitation(deps: Deps, token: string, user_id: string): Promise<Opened> {
  const opened = await openInvitation(deps, token, user_id);
  if (opened.state !== 'open') return opened;
  const { invitation, merchant } = opened;
  const { role, invitation_id, invited_by } = invitation;
  const act = { actor: `user:${user_id}`, action: 'member.accept' };
  const done = await runAudited(deps, act, async (tx) => {
    // People who accept at once are counted one after the other (D-1337).
    await selectMerchantForUpdate(tx, merchant.merchant_id);
    if ((await deleteInvitation(tx, merchant.merchant_id, invitation_id)) === null) return null;
    if (!(await mayInvite(tx, merchant, invitation))) return null;
    await addMember(tx, merchant, { user_id, role, added_by: invited_by, added_at: deps.clock.now() });
    return { target: targetOf(merchant), before: null, after: { invitation_id, user_id, role } };
  });
  return done === null ? { state: 'over' } : opened;
}

/** Sends the mail of one due invitation; returns how many it found (0 or 1). Several workers may call it at once. */
export const sendDueInvitation = (deps: SendDeps): Promise<number> =>
  sendQueued(deps, {
    claim: (now, next) => claimInvitation(deps.db, now, next),
    remove: ({ invitation_id }) => endInvitationMail(deps.db, invitation_id),
    send: (invitation) => sendLink(deps, invitation),
  });

async function sendLink(
  { db, ids, mailer, public_url }: SendDeps,
  { invitation_id, merchant_id, email, role, locale, invited_by }: Invitation,
): Promise<void> {
  const token = ids.secret(32);
  const merchant = await selectMerchant(db, merchant_id);
  if (merchant === null || !(await updateInvitationToken(db, invitation_id, tokenHash(token)))) return;
  const person = await selectPersonByEmail(db, email);
  const inviter = await selectPerson(db, invited_by.replace(/^user:/, ''));
  const kept = person === null ? null : await selectLocale(db, person.user_id);
  const mail = invitationMail(kept ?? locale, {
    link: `${public_url}/invitation?token=${token}`,
    merchant: merchant.name,
    ...{ role, email },
    asks: person === null ? (inviter?.email ?? '') : null,
  });
  await mailer.send({ to: email, ...mail });
}

/** Deletes a batch of invitations that are over; returns how many. */
export const purgeExpiredInvitations = ({
  db,
  clock,
}: {
  db: Database;
  clock: Deps['clock'];
}): Promise<number> => deleteExpiredInvitations(db, clock.real(), 1_000);

const targetOf = ({ merchant_id }: Merchant): string => `merchant:${merchantNo(merchant_id)}`;
