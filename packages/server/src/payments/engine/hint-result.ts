/** What came of a hint that was followed to the provider. */
export interface Followed {
  /** In a few words, for the operator. */
  outcome: string;
  /** Whether to follow it once more, later. */
  again: boolean;
}

export const ended = (outcome: string): Followed => ({ outcome, again: false });
export const again = (outcome: string): Followed => ({ outcome, again: true });

/** News of the payment itself may still be on the way (D-107). */
export const notSettledYet: Followed = again('no such payment');
