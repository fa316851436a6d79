/**
 * Approves and rejects writes that wait.
 *
 * Invariant: an approval is decided once, under the lock of its row. An approved write is booked in the transaction
 * that stores the approval.
 */
import { logAct, runAudited } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { demandSession } from '../../identity/sessions/index.ts';
import { PassingRefusal } from '../../payments/decisions/index.ts';
import { ownerOf } from '../keys/index.ts';
import { cases, money } from '../request/permissions.ts';
import type { AdminDeps } from '../request/deps.ts';
import { type Approval, approvalJson, demandSecondPerson } from './approval.ts';
import {
  selectApproval,
  selectApprovalForUpdate,
  selectPendingOfForUpdate,
  updateApproval,
} from './approval.sql.ts';
import { type GuardedWrite, mayAsk, type Requester, runAsStaff, type Written } from './guarded-write.ts';

/** The one who decides, and the reason. */
type Decider = Requester;

/**
 * Approves a write and books it. The write decides again, because the state may have changed since the request. If it
 * is refused with 404 or 409, its subject is gone or was settled in another way, so the approval ends as `failed`. After
 * any other error, such as a balance that is too low or a provider that does not answer (D-1197), it stays pending: the same
 * approval can succeed later.
 *
 * @returns the approval after it, and the answer of the write
 * @throws AppError `not_found`, `already_decided`, `second_person_required`; also the errors of the write
 */
export async function approve(
  deps: AdminDeps,
  writes: readonly GuardedWrite[],
  approval_id: string,
  by: Decider,
): Promise<{ approval: Approval; result: object }> {
  const asked = await selectApproval(deps.db, approval_id);
  if (asked === null) throw new AppError('not_found');
  demandPending(asked);
  demandSecondPerson(await ownerOf(deps.db, asked.asked_by), by.actor);
  const write = writes.find(({ action }) => action === asked.action);
  // Only a newer version of the service knows this write.
  if (write === undefined) throw new AppError('service_unavailable');
  try {
    await write.prepare?.(deps, asked.request);
    const { approval, written } = await deps.db.transaction((tx) => bookApproved(deps, tx, write, asked, by));
    const result = (await written?.follow?.()) ?? written?.after ?? {};
    return { approval, result };
  } catch (error) {
    if (error instanceof AppError && isFinal(error)) {
      await endFailed(deps, approval_id, by, error);
    }
    throw error;
  }
}

const askerGone = 'The person or key that asked for this may no longer ask for it.';

/** Whether an approval can never be booked after this error. */
function isFinal(error: AppError): boolean {
  const { code, status } = error;
  if (code === 'already_decided' || error instanceof PassingRefusal) return false;
  return code === 'role_required' || status === 404 || status === 409;
}

async function bookApproved(
  deps: AdminDeps,
  tx: Tx,
  write: GuardedWrite,
  asked: Approval,
  by: Decider,
): Promise<{ approval: Approval; written: Written | null }> {
  const before = await lockPending(tx, asked.approval_id);
  const { asked_by, reason } = before;
  // A request that was under way when its asker lost access is stored after `rejectAllOf` has run.
  if (!(await mayAsk(tx, write, asked_by))) throw new AppError('role_required', { description: askerGone });
  const written = await write.run(deps, tx, before.request, { actor: asked_by, reason });
  if (!(await mayAsk(tx, { askedBy: money }, by.actor))) {
    throw new AppError('second_person_required', { description: 'You may no longer approve.' });
  }
  await demandSession(tx, by.actor);
  const approval = decided(before, 'approved', by, deps.clock.now());
  await updateApproval(tx, approval);
  await logAct(tx, deps, { ...by, action: 'approval.approve' }, change(before, approval));
  if (written !== null) {
    // The write is the asker's, for the asker's reason; the entry names both people.
    const { approval_id } = approval;
    const both = { approval_id, asked_by, approved_by: by.actor };
    const { target, after } = written;
    const act = { actor: asked_by, action: write.action, reason };
    await logAct(tx, deps, act, { target, before: written.before, after: { ...after, approval: both } });
  }
  return { approval, written };
}

/**
 * Rejects a write that waits; nothing is booked. Who may only decide cases can reject what they asked for themselves (D-1367).
 *
 * @throws AppError `not_found`, `already_decided`, `role_required`
 */
export async function reject(deps: AdminDeps, approval_id: string, by: Decider): Promise<Approval> {
  const act = { ...by, action: 'approval.reject' };
  const { approval } = await runAsStaff(deps, act, cases, async (tx) => {
    const before = await lockPending(tx, approval_id);
    const isOwn = before.asked_by === by.actor;
    if (!isOwn && !(await mayAsk(tx, { askedBy: money }, by.actor))) throw new AppError('role_required');
    const after = decided(before, 'rejected', by, deps.clock.now());
    await updateApproval(tx, after);
    return { ...change(before, after), approval: after };
  });
  return approval;
}

/**
 * Rejects all waiting writes of an actor who may no longer ask for them. Call it in the transaction that removes their
 * access.
 *
 * @param asked_by the actor who asked, as the audit log names it
 */
export async function rejectAllOf(
  tx: Tx,
  deps: Pick<AdminDeps, 'clock' | 'ids'>,
  asked_by: string,
  by: Decider,
): Promise<void> {
  for (const before of await selectPendingOfForUpdate(tx, asked_by)) {
    const after = decided(before, 'rejected', by, deps.clock.now());
    await updateApproval(tx, after);
    await logAct(tx, deps, { ...by, action: 'approval.reject' }, change(before, after));
  }
}

/** Ends an approval whose write can never be booked. Another decision may have ended it meanwhile. */
async function endFailed(
  deps: AdminDeps,
  approval_id: string,
  by: Decider,
  { code, message }: AppError,
): Promise<void> {
  await runAudited(deps, { ...by, action: 'approval.fail' }, async (tx) => {
    const before = await selectApprovalForUpdate(tx, approval_id);
    if (before?.status !== 'pending') return null;
    const failure = { error: code, error_description: message };
    const after: Approval = { ...decided(before, 'failed', by, deps.clock.now()), failure };
    await updateApproval(tx, after);
    return change(before, after);
  });
}

async function lockPending(tx: Tx, approval_id: string): Promise<Approval> {
  const approval = await selectApprovalForUpdate(tx, approval_id);
  if (approval === null) throw new AppError('not_found');
  demandPending(approval);
  return approval;
}

function demandPending({ status }: Approval): void {
  if (status !== 'pending')
    throw new AppError('already_decided', { description: `This is already ${status}.` });
}

const decided = (
  before: Approval,
  status: Approval['status'],
  { actor, reason }: Decider,
  now: Date,
): Approval => ({
  ...before,
  status,
  decided_by: actor,
  decided_at: now,
  decision_reason: reason,
});

const change = (before: Approval, after: Approval) => ({
  target: `approval:${before.approval_id}`,
  before: approvalJson(before),
  after: approvalJson(after),
});
