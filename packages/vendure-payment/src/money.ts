/** Vendure counts in whole numbers of its smallest units, which are exact up to 2^53 - 1. */

/** @throws RangeError beyond what a number holds exactly */
export function bigintOf(amount: number): bigint {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no exact amount`);
  return BigInt(amount);
}

/** @throws RangeError beyond what a number holds exactly */
export function numberOf(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${amount} is more than the shop can count`);
  return number;
}
