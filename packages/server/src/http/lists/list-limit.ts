const fallback = 20;

/**
 * Reads the `limit` of a list: a number from 1 to 100. Every other value, also a repeated parameter, gives 20, in
 * orders, delivery records and products alike (R-289, R-293, R-301, R-339, D-155).
 */
export function readListLimit(value: string | string[] | undefined): number {
  if (typeof value !== 'string' || !/^[0-9]{1,3}$/.test(value)) return fallback;
  const limit = Number(value);
  return limit >= 1 && limit <= 100 ? limit : fallback;
}
