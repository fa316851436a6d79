import { negotiateLocale } from '@paydesk/checkout';
import { type ConsoleRole, MemberChange, NewMember } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { runAudited, selectLastAct } from '../../base/audit/index.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import {
  changeRole,
  endInvitationsBy,
  listMembers,
  removeMember,
  type Merchant,
  selectInvitations,
} from '../../merchants/index.ts';
import { rfc3339OrNull } from '../../base/time/clock.ts';
import { factorSince } from '../../identity/factors/index.ts';
import { accountKey } from '../../identity/sign-in/index.ts';
import { isUuid, reader } from '../../base/input/decode.ts';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';
import { duties } from '../request/permissions.ts';
import { invitationJson, invite, withdrawInvitation } from './invitations.ts';
import { demandActiveOwner } from './lock-owner.ts';

const readNew = reader(NewMember);
const readChange = reader(MemberChange);

/** A call about one of the merchant's people. */
interface ByPerson {
  Params: ByMerchant['Params'] & { user_id: string };
}

/**
 * The people who work for a merchant: list, invite by email address, change roles, remove. Each change is refused if the account
 * or the role of who makes it has ended (D-975, D-1004).
 */
export function peopleRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock, limits } = deps;

  app.get<ByMerchant>('/people', async (request) => {
    const { merchant } = memberOf(request);
    const members = await listMembers(db, merchant.merchant_id);
    const people = await Promise.all([
      personJson(db, merchant.owner_user_id, 'owner', null),
      ...members.map(({ user_id, role, added_at }) => personJson(db, user_id, role, added_at)),
    ]);
    const invitations = await selectInvitations(db, merchant.merchant_id, clock.real());
    return {
      items: people.flatMap((person) => person ?? []),
      invitations: invitations.map(invitationJson),
      duties,
    };
  });

  // The answer and its time are the same for addresses with and without an account.
  app.post<ByMerchant>('/people', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const { email, role } = readNew(request.body);
    await limits.take('invitations', actor);
    if (deps.mail) await limits.take('invited_address', accountKey(email));
    const locale = negotiateLocale(request.headers['accept-language'], undefined);
    const invitation = await invite(deps, { actor, merchant }, { email, role, locale });
    deps.onMail();
    return reply.code(201).send(invitationJson(invitation));
  });

  app.delete<ByMerchant & { Params: { invitation_id: string } }>(
    '/people/invitations/:invitation_id',
    async (request) => {
      await withdrawInvitation(deps, memberOf(request), request.params.invitation_id);
      return { withdrawn: true };
    },
  );

  app.patch<ByPerson>('/people/:user_id', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const user_id = personInPath(request.params.user_id);
    const { role } = readChange(request.body);
    const { member } = await runAudited(deps, { actor, action: 'member.change' }, async (tx) => {
      await demandActiveOwner(tx, merchant, actor);
      const { before, after } = await changeRole(tx, merchant, user_id, role);
      if (role !== 'owner') await endInvitationsBy(tx, deps, { user_id, merchant_id }, { actor });
      return {
        target: targetOf(merchant),
        before: { user_id, role: before.role },
        after: { user_id, role },
        member: after,
      };
    });
    return personJson(db, user_id, role, member.added_at);
  });

  app.delete<ByPerson>('/people/:user_id', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const user_id = personInPath(request.params.user_id);
    await runAudited(deps, { actor, action: 'member.remove' }, async (tx) => {
      await demandActiveOwner(tx, merchant, actor);
      const { role } = await removeMember(tx, merchant, user_id);
      await endInvitationsBy(tx, deps, { user_id, merchant_id }, { actor });
      return { target: targetOf(merchant), before: { user_id, role }, after: null };
    });
    return { removed: true };
  });
}

const targetOf = ({ merchant_id }: Merchant): string => `merchant:${merchantNo(merchant_id)}`;

function personInPath(user_id: string): string {
  if (!isUuid(user_id)) throw new AppError('not_found');
  return user_id;
}

/** @param added_at null for the owner of the merchant */
async function personJson(db: Queryable, user_id: string, role: ConsoleRole, added_at: Date | null) {
  const person = await selectPerson(db, user_id);
  if (person === null) return null;
  const { name, email } = person;
  const holder = added_at === null;
  const [last, since] = await Promise.all([
    selectLastAct(db, `user:${user_id}`, 'session.sign-in'),
    factorSince(db, user_id),
  ]);
  return {
    ...{ user_id, name, email, role, holder, added_at: rfc3339OrNull(added_at) },
    ...{ last_sign_in_at: rfc3339OrNull(last), second_factor: since !== null },
  };
}
