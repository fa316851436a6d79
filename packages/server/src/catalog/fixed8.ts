/** Digits after the point of every amount of the catalog, whatever its currency's own precision (D-182). */
export const fixed8Digits = 8;

/** How many units of the 8-decimal scale make one minor unit of a currency. */
export const unitsPerMinor = (decimals: number): bigint => 10n ** BigInt(fixed8Digits - decimals);
