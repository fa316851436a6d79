/** The result of an order in its merchant's wallet (D-490). Amounts are whole numbers of the eighth decimal of PTK. */

/** The sum of the changes of all lines: what the order has left in the wallet. */
export const resultOf = (lines: readonly { change_ptk: string }[]): string =>
  lines.reduce((sum, { change_ptk }) => sum + BigInt(change_ptk), 0n).toString();

/** The part of the net that was taken back: Net − Taken back = Result. */
export const takenBack = (net: string, result: string): string => (BigInt(net) - BigInt(result)).toString();

/** Whether the payment of an order was taken back, all of it or a part by a dispute (D-1067). */
export const wasTakenBack = (status: string, disputes: readonly { status: string }[]): boolean =>
  isReversed(status) || disputes.some((dispute) => dispute.status === 'confirmed');

/** Whether the payment of an order was taken back. */
export const isReversed = (status: string): boolean => status === 'refunded' || status === 'chargeback';
