/** Why a case of kind `mismatch` was opened, as its detail says it. Details are stored, so these sentences stay as they are. */

/** What a provider reports of a dispute or a refund, and what contradicts the books. */
export const contradictions = [
  'won after it was booked as lost',
  'lost for more than was booked',
  'lost for less than was booked',
  'disputed after the order was refunded',
  'disputed after the order was chargeback',
  'disputed in another currency',
  'disputed for more than what is left of the payment',
  'refunded beside a chargeback',
  'disputed after it was paid back',
  'refunded after it was paid back',
  'the refund failed after it was booked',
] as const;

export type Contradiction = (typeof contradictions)[number];

/** The members in which a payment page is compared with the request. */
export const comparedMembers = ['session', 'reference', 'order', 'amount', 'currency', 'mode'] as const;

export type ComparedMember = (typeof comparedMembers)[number];

export const differenceOf = (member: ComparedMember): string => `${member} is not what was asked for`;
