/** The result of following a hint. A hint is news from outside, such as a webhook, that names something to look up. */
export interface HintResult {
  /** In a few words, for the operator. */
  outcome: string;
  /** Whether to follow the hint again later. */
  again: boolean;
  /** For how long after the news the hint is followed again; absent: as long as any. */
  within_ms?: number;
}

export const finished = (outcome: string): HintResult => ({ outcome, again: false });
export const unfinished = (outcome: string): HintResult => ({ outcome, again: true });

/** No payment is known yet; news of it may still arrive (D-107). */
export const notSettledYet: HintResult = unfinished('no such payment');
