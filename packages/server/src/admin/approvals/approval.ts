/** A write of money that waits for a second person: its data, and who may approve it. */
import type { ApprovalState } from '@paydesk/contract';
import { AppError } from '../../base/errors.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';

export interface Approval {
  approval_id: string;
  /** The write, by its name in the audit log. */
  action: string;
  /** What the write would do. Each action and subject has at most one pending approval. */
  subject: string;
  /** The object that the write changes, as in the audit log. */
  target: string;
  /** The gross amount at 8-decimal fixed point; null without a rate. */
  amount_ptk: bigint | null;
  /** All that is needed to run the write. */
  request: unknown;
  reason: string | null;
  asked_by: string;
  asked_at: Date;
  status: ApprovalState;
  decided_by: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
  /** The error of the write, if the approval failed. */
  failure: { error: string; error_description: string } | null;
}

/** A new approval, pending. */
export const newApproval = (
  asked: Omit<Approval, 'status' | 'decided_by' | 'decided_at' | 'decision_reason' | 'failure'>,
): Approval => ({
  ...asked,
  status: 'pending',
  decided_by: null,
  decided_at: null,
  decision_reason: null,
  failure: null,
});

/**
 * Checks that this caller may approve: a person, and not the one who asked, even if they asked through a key. A key
 * cannot approve, because it does not say which person holds it.
 *
 * @param asker the person behind the request: for a key the person who made it
 * @throws AppError `second_person_required`
 */
export function demandSecondPerson(asker: string, actor: string): void {
  if (!actor.startsWith('user:')) {
    throw new AppError('second_person_required', {
      description: 'A key approves nothing: a person must sign in and approve.',
    });
  }
  if (actor === asker) {
    throw new AppError('second_person_required', {
      description: 'You asked for this yourself, or with a key of yours: another person must approve it.',
    });
  }
}

/** From this amount on a write waits. A threshold of 0 switches the rule off. An unknown amount always waits. */
export const reaches = (threshold: bigint, amount_ptk: bigint | null): boolean =>
  threshold > 0n && (amount_ptk === null || amount_ptk >= threshold);

/** An approval as administrators and the audit log see it. */
export const approvalJson = (approval: Approval) => ({
  approval_id: approval.approval_id,
  status: approval.status,
  action: approval.action,
  target: approval.target,
  amount_ptk: approval.amount_ptk?.toString() ?? null,
  request: approval.request,
  reason: approval.reason,
  asked_by: approval.asked_by,
  asked_at: rfc3339(approval.asked_at),
  decided_by: approval.decided_by,
  decided_at: rfc3339OrNull(approval.decided_at),
  decision_reason: approval.decision_reason,
  failure: approval.failure,
});
