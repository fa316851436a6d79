/** How often the checkout page asks for the state of its order. */
const first_ms = 3_000;
const longest_ms = 30_000;

/**
 * The time to wait before the next poll: 3 s at first, and longer while nothing changes, so that several tabs behind
 * one address stay within the limit of reads. It is never shorter than the server asks for.
 *
 * @param quiet polls in a row that brought no news
 * @param retry_after_s what the server asked for, in seconds
 */
export function pollDelay_ms(quiet: number, retry_after_s: number | null): number {
  const backedOff = Math.min(longest_ms, first_ms * 1.25 ** Math.max(0, quiet - 3));
  return Math.round(Math.max(backedOff, (retry_after_s ?? 0) * 1000));
}
