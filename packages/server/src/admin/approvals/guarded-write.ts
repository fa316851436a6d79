/**
 * Writes of money that wait for a second person if they reach the platform's threshold.
 *
 * Invariant: a write that reaches the threshold, or that waits already, books nothing until another person approves it.
 */
import type { PlatformRole } from '@paydesk/contract';
import { isDeepStrictEqual } from 'node:util';
import { type Act, type Done, runAudited } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { readSettings } from '../../base/settings/index.ts';
import { platformRoleOf, selectPerson } from '../../identity/people/index.ts';
import { demandSession } from '../../identity/sessions/index.ts';
import { selectAdminKey } from '../keys/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { type Approval, approvalJson, newApproval, reaches } from './approval.ts';
import { insertApproval, selectPendingApproval } from './approval.sql.ts';

/** The result of a write: its entry in the audit log, and its gross amount. */
export interface Written extends Done<unknown, object> {
  /** PTK at 8-decimal fixed point; null without a rate. */
  amount_ptk: bigint | null;
  /** Continues after the commit, and gives the answer; without it, `after` is the answer. It never throws. */
  follow?: () => Promise<object>;
}

/** One kind of write. `R` is its request as JSON: it is stored while the write waits. */
export interface GuardedWrite<R = unknown> {
  /** Its name in the audit log; two writes never share one. */
  readonly action: string;
  /** The roles that may ask for it. */
  readonly askedBy: readonly PlatformRole[];
  /** What the write would do. The same write, asked for twice, waits once. */
  subjectOf(request: R): string;
  /** Prepares the write outside any transaction. Throws if it is not possible. */
  prepare?(deps: AdminDeps, request: R): Promise<void>;
  /**
   * Decides and writes, under its locks. It can run twice: at the request and at the approval. Each time it decides
   * again.
   *
   * @returns null if it has been done before, so that nothing is written
   */
  run(deps: AdminDeps, tx: Tx, request: R, by: Requester): Promise<Written | null>;
}

/** Who asks for a write, and why. */
export interface Requester {
  actor: string;
  reason: string | null;
}

export type Outcome = { kind: 'done'; written: Written | null } | { kind: 'pending'; approval: Approval };

/** Rolls the transaction of a write back, and carries the write out of it. */
class WaitsForApproval extends Error {
  readonly written: Written;

  constructor(written: Written) {
    super('a write waits for approval');
    this.written = written;
  }
}

/**
 * Runs a write, or stores that it waits. To learn its amount and whether it is possible at all, the write is run in any
 * case; if it has to wait, its transaction is rolled back. So the caller gets its errors at once.
 *
 * @throws AppError the errors of the write; `reference_conflict` if another write waits under the same reference;
 *   `role_required` if who asks has lost the role meanwhile
 */
export async function runOrAsk<R>(
  deps: AdminDeps,
  write: GuardedWrite<R>,
  request: R,
  by: Requester,
): Promise<Outcome> {
  await write.prepare?.(deps, request);
  const subject = write.subjectOf(request);
  const act = { ...by, action: write.action };
  try {
    const written = await runAudited(deps, act, async (tx) => {
      const result = await write.run(deps, tx, request, by);
      await demandMayAsk(tx, write, by.actor);
      if (result !== null && (await mustWait(tx, write.action, subject, result.amount_ptk))) {
        throw new WaitsForApproval(result);
      }
      return result;
    });
    return { kind: 'done', written };
  } catch (error) {
    if (!(error instanceof WaitsForApproval)) throw error;
    const approval = await askForApproval(
      deps,
      { ...by, action: write.action, subject, request },
      error.written,
    );
    // The approval that was in the way has been decided meanwhile.
    return approval === null ? runOrAsk(deps, write, request, by) : { kind: 'pending', approval };
  }
}

/**
 * Whether an actor who has asked for a write may still do so: active staff, or a key that is not revoked, with a role for it.
 * Asked once the write has its locks, because it may have waited for them, or for the provider (D-1003).
 */
export async function mayAsk(
  tx: Tx,
  { askedBy }: Pick<GuardedWrite, 'askedBy'>,
  actor: string,
): Promise<boolean> {
  if (actor.startsWith('key:')) {
    const key = await selectAdminKey(tx, actor.slice('key:'.length));
    return key !== null && key.revoked_at === null && askedBy.includes(key.role);
  }
  if (!actor.startsWith('user:')) return true;
  const person = await selectPerson(tx, actor.slice('user:'.length));
  const role = person === null || person.disabled_at !== null ? null : platformRoleOf(person.role);
  return role !== null && askedBy.includes(role);
}

/** Throws AppError `role_required` if `mayAsk` says no; and as `demandSession`. */
async function demandMayAsk(tx: Tx, write: Pick<GuardedWrite, 'askedBy'>, actor: string): Promise<void> {
  if (!(await mayAsk(tx, write, actor))) throw new AppError('role_required');
  await demandSession(tx, actor);
}

/** `runAudited` for staff with one of these roles. Throws as `demandMayAsk` does. */
export const runAsStaff = <D extends Done<unknown, unknown> | null>(
  deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>,
  act: Act,
  askedBy: readonly PlatformRole[],
  work: (tx: Tx) => Promise<D>,
): Promise<D> =>
  runAudited(deps, act, async (tx) => {
    const done = await work(tx);
    await demandMayAsk(tx, { askedBy }, act.actor);
    return done;
  });

/** A write that waits keeps waiting, even if the threshold rises: so no one can book it alone with a second request. */
async function mustWait(
  tx: Tx,
  action: string,
  subject: string,
  amount_ptk: bigint | null,
): Promise<boolean> {
  const { four_eyes_ptk } = await readSettings(tx);
  if (reaches(BigInt(four_eyes_ptk), amount_ptk)) return true;
  return (await selectPendingApproval(tx, action, subject)) !== null;
}

/** The approval that now waits: a new one, or the one of the same write. Null if that was decided this moment. */
async function askForApproval(
  deps: AdminDeps,
  {
    actor,
    reason,
    action,
    subject,
    request,
  }: Requester & { action: string; subject: string; request: unknown },
  { target, amount_ptk }: Written,
): Promise<Approval | null> {
  const now = deps.clock.now();
  const approval = newApproval({
    approval_id: `ap_${deps.ids.ulid(now)}`,
    ...{ action, subject, target, amount_ptk, request, reason },
    asked_by: actor,
    asked_at: now,
  });
  const act = { actor, action: 'approval.request', reason };
  const stored = await runAudited(deps, act, async (tx) =>
    (await insertApproval(tx, approval))
      ? { target: `approval:${approval.approval_id}`, before: null, after: approvalJson(approval) }
      : null,
  );
  if (stored !== null) return approval;
  const known = await selectPendingApproval(deps.db, action, subject);
  if (known !== null && !isDeepStrictEqual(known.request, asJson(request))) {
    throw new AppError('reference_conflict', {
      description: `Another request for the same thing waits for approval: ${known.approval_id}.`,
    });
  }
  return known;
}

/** A request as it comes back from the database: without members that are undefined. */
const asJson = (request: unknown): unknown => JSON.parse(JSON.stringify(request));
