/** The largest page number. No list is longer, so every page beyond it is empty as well. */
const last = 1_000_000_000;

/** Reads the `page` of a list. An invalid text is page 1. A number above 10^9 is 10^9 (R-338, D-187). */
export function readPage(value: string | string[] | undefined): number {
  if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) return 1;
  const page = BigInt(value);
  return page > BigInt(last) ? last : Math.max(1, Number(page));
}
