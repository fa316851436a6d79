const fallback = 20;

/**
 * The `limit` of a list: digits only, 1 to 100, else 20; a repeated parameter is no limit (R-289, R-293, R-301,
 * D-155).
 */
export function readListLimit(value: string | string[] | undefined): number {
  if (typeof value !== 'string' || !/^[0-9]{1,3}$/.test(value)) return fallback;
  const limit = Number(value);
  return limit >= 1 && limit <= 100 ? limit : fallback;
}
