/** The life of an account: `PATCH /users/{user_id}`, `DELETE …/sessions` and `DELETE …/factors`. */
import { UserChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { changeAudited } from '../../base/audit/index.ts';
import { reader } from '../../base/input/decode.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { Person } from '../../identity/people/index.ts';
import { changePerson, endSessionsOf, removeFactorsOf } from '../../identity/removal/index.ts';
import { endInvitationsBy } from '../../merchants/index.ts';
import { rejectAllOf } from '../approvals/index.ts';
import { demandKey, runAsAdministrator } from '../keys/index.ts';
import { demandReason } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { userInPath } from '../request/person-in-path.ts';
import { actorOf, type ByUser } from '../request/request.ts';
import { userJson } from './user-json.ts';

const readChange = reader(UserChange);

export function accountRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, apps, clock } = deps;

  app.patch<ByUser>('/users/:user_id', async (request) => {
    const { reason, ...change } = readChange(request.body);
    const { user_id } = await userInPath(db, request.params.user_id);
    const act = { actor: actorOf(request), action: 'user.change', reason: demandReason(reason) };
    const { after } = await changeAudited(deps, act, async (tx) => {
      const changed = await changePerson(tx, apps, user_id, change, { actor: act.actor, now: clock.now() });
      // People before keys, as in every write.
      await demandKey(tx, act.actor);
      const isDisabled = changed.after.disabled_at !== null;
      if (hasLostRights(changed)) await endRequestsOf(tx, deps, { user_id, isDisabled }, act);
      return {
        target: `user:${user_id}`,
        before: userJson(changed.before),
        after: userJson(changed.after),
      };
    });
    return after;
  });

  app.delete<ByUser>('/users/:user_id/sessions', async (request) => {
    const { user_id } = await userInPath(db, request.params.user_id);
    const act = { actor: actorOf(request), action: 'user.end-sessions' };
    const end = async (tx: Tx) => ({
      target: `user:${user_id}`,
      before: null,
      after: { ended: await endSessionsOf(tx, user_id) },
    });
    return (await runAsAdministrator(deps, act, end, [user_id])).after;
  });

  app.delete<ByUser>('/users/:user_id/factors', async (request) => {
    const { user_id } = await userInPath(db, request.params.user_id);
    const act = { actor: actorOf(request), action: 'user.remove-factors' };
    const remove = async (tx: Tx) => ({
      target: `user:${user_id}`,
      before: null,
      after: { removed: await removeFactorsOf(tx, user_id) },
    });
    return (await runAsAdministrator(deps, act, remove, [user_id])).after;
  });
}

/** With any new role except `admin` a person may ask for less than before, or for other things. */
const hasLostRights = ({ before, after }: { before: Person; after: Person }): boolean =>
  (before.disabled_at === null && after.disabled_at !== null) ||
  (before.role !== after.role && after.role !== 'admin');

/** Ends what a person has asked others for: writes that wait for approval and, if disabled, invitations to merchants. */
async function endRequestsOf(
  tx: Tx,
  deps: AdminDeps,
  { user_id, isDisabled }: { user_id: string; isDisabled: boolean },
  { actor, reason }: { actor: string; reason: string },
): Promise<void> {
  await rejectAllOf(tx, deps, `user:${user_id}`, { actor, reason });
  if (isDisabled) await endInvitationsBy(tx, deps, { user_id, merchant_id: null }, { actor, reason });
}
