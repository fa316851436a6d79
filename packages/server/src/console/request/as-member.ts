/** Audited writes by a member of a merchant: each is refused if the account or role of its sender has ended by then (D-1085). */
import type { FastifyRequest } from 'fastify';
import { type Act, type AuditDeps, changeAudited, type Done, runAudited } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { demandSession } from '../../identity/sessions/index.ts';
import { roleAt, selectMerchant } from '../../merchants/index.ts';
import { memberOf } from './member.ts';
import { mayWrite, routeOf } from './permissions.ts';

/** What tells who makes which call. */
export type Asked = Pick<FastifyRequest, 'id' | 'method' | 'routeOptions'>;

/**
 * Asks again whether the sender of a write may make it. Call it once the write has its locks, because it may have waited for
 * them.
 *
 * @throws AppError `authentication_required` if the account was disabled or the session ended; `role_required`
 */
async function demandMember(tx: Tx, request: Asked): Promise<void> {
  const { actor, merchant } = memberOf(request);
  const user_id = actor.replace(/^user:/, '');
  const [person, current] = await Promise.all([
    selectPerson(tx, user_id),
    selectMerchant(tx, merchant.merchant_id),
  ]);
  if (person === null || person.disabled_at !== null) throw new AppError('authentication_required');
  const role = current === null ? null : await roleAt(tx, current, user_id);
  if (role === null || !mayWrite(role, request.method, routeOf(request))) throw new AppError('role_required');
  await demandSession(tx, actor);
}

const demanding =
  <D>(request: Asked, work: (tx: Tx) => Promise<D>) =>
  async (tx: Tx): Promise<D> => {
    const done = await work(tx);
    await demandMember(tx, request);
    return done;
  };

/** `runAudited` for members. Throws as `demandMember` does. */
export const runAsMember = <D extends Done<unknown, unknown> | null>(
  deps: Omit<AuditDeps, 'cache'>,
  request: Asked,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> => runAudited(deps, act, demanding(request, work));

/** `changeAudited` for members. Throws as `demandMember` does. */
export const changeAsMember = <D extends Done<unknown, unknown>>(
  deps: AuditDeps,
  request: Asked,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> => changeAudited(deps, act, demanding(request, work));
