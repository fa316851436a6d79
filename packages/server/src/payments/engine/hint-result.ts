/** What came of a hint that was followed to the provider. */
export interface HintResult {
  /** In a few words, for the operator. */
  outcome: string;
  /** Whether to follow it once more, later. */
  again: boolean;
}

export const finished = (outcome: string): HintResult => ({ outcome, again: false });
export const unfinished = (outcome: string): HintResult => ({ outcome, again: true });

/** News of the payment itself may still be on the way (D-107). */
export const notSettledYet: HintResult = unfinished('no such payment');
