import { formatMinor } from '../../base/money.ts';

/** A part of a whole as a decimal of four places; null if the whole is zero. Rounded down, so that 1 means all. */
export const rateOf = (part: bigint, whole: bigint): string | null =>
  whole === 0n ? null : formatMinor((part * 10_000n) / whole, 4);
