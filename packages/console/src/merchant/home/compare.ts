/** How figures have changed since the period before. */
import { decimalPlaces, minorOf } from '../../money/money.ts';

/** By how many percent an amount has changed, rounded to one decimal; null if there was nothing before. Exact until then. */
export function percentSince(before: string, now: string): number | null {
  const decimals = Math.max(decimalPlaces(before), decimalPlaces(now));
  const [was, is] = [minorOf(before, decimals), minorOf(now, decimals)];
  if (was === null || is === null || was === 0n) return null;
  const change = (is - was) * 2_000n;
  return Number((change + (change < 0n ? -was : was)) / (2n * was)) / 10;
}

/** By how many percentage points a rate such as `0.7150` has changed; null if one of the periods has none. */
export function pointsSince(before: string | null, now: string | null): number | null {
  if (before === null || now === null) return null;
  return Math.round((Number.parseFloat(now) - Number.parseFloat(before)) * 1_000) / 10;
}
