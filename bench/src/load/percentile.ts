/**
 * The percentile by nearest rank; 0 if there are no values.
 *
 * @param sorted ascending
 * @param share 0.99 for p99
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(sorted.length * share));
  return sorted[rank - 1] ?? 0;
}
