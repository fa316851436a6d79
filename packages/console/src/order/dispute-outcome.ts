interface Dispute {
  /** `provider` for a dispute of the buyer's bank. */
  source?: string;
  status: string;
}

const byBank: Readonly<Record<string, string>> = { confirmed: 'lost', dismissed: 'won' };

/** The status of a dispute as people say it: a bank's dispute is lost or won; only the platform's own are decided by it (D-494). */
export const disputeOutcome = ({ source, status }: Dispute): string =>
  (source === 'provider' ? byBank[status] : undefined) ?? status;

/** The reason that a person gave; none for a bank's dispute, which the service recorded by itself. */
export const disputeReason = ({ source, reason }: { source?: string; reason?: string }): string | undefined =>
  source === 'provider' ? undefined : reason;
