/**
 * The percentile by nearest rank; NaN if there are no values, so that nothing that was not measured looks fast.
 *
 * @param sorted ascending
 * @param share 0.99 for p99
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(sorted.length * share));
  return sorted[rank - 1] ?? NaN;
}
