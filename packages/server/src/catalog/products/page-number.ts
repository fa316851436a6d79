/** No list is longer: what is asked for beyond is as empty. */
const last = 1_000_000_000;

/** The `page` of a list: digits only, from 1, else 1; larger than 10^9 is 10^9 (R-338, D-187). */
export function readPage(value: string | string[] | undefined): number {
  if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) return 1;
  const page = BigInt(value);
  return page > BigInt(last) ? last : Math.max(1, Number(page));
}
