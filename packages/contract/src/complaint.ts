/**
 * Why a complaint was opened that no person has opened, as its `reason` says it. This tells its origin for ever: a dispute
 * can come and go meanwhile. Reasons are stored, so they stay as they are.
 */
export const complaintReasons = {
  dispute: 'disputed at the provider',
  partial_refund: 'another amount than was paid has gone back',
} as const;
