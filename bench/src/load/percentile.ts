/**
 * The smallest value that at least this share of the values does not exceed (nearest rank); 0 of none.
 *
 * @param sorted ascending
 * @param share 0.99 for p99
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(sorted.length * share));
  return sorted[rank - 1] ?? 0;
}
