import { complaintReasons } from '@paydesk/contract';

interface Dispute {
  /** `provider` for a dispute of the buyer's bank, and for a partial refund of the provider. */
  source?: string;
  /** Only the platform's staff read it. */
  reason?: string;
  status: string;
}

const byBank: Readonly<Record<string, string>> = { confirmed: 'lost', dismissed: 'won' };

/**
 * The status of a dispute as people say it: a bank's dispute is lost or won; the platform's own, and partial refunds (D-906),
 * are decided by a person (D-494).
 */
export const disputeOutcome = ({ source, reason, status }: Dispute): string =>
  (source === 'provider' && reason !== complaintReasons.partial_refund ? byBank[status] : undefined) ??
  status;

/** The reason that a person gave; none for a bank's dispute, which the service recorded by itself. */
export const disputeReason = ({ source, reason }: { source?: string; reason?: string }): string | undefined =>
  source === 'provider' ? undefined : reason;
