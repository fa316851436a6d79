/** What an app may pay from a person's PTK balance, as the person has set it with the consent. */
import { invalid } from '../../base/errors.ts';
import { amountTyped } from '../../base/input/typed-amount.ts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';

/** PTK in smallest units; null for no limit. */
export interface AppLimits {
  max_per_payment: bigint | null;
  /** Within 24 hours. */
  max_per_day: bigint | null;
}

export const noLimits: AppLimits = { max_per_payment: null, max_per_day: null };

export type LimitName = keyof AppLimits;

/** A limit as a person types it: PTK with at most eight digits after the point. An empty text sets none. */
export function readLimit(field: LimitName, text: string): bigint | null {
  const typed = amountTyped(text);
  if (typed === '') return null;
  const [, whole = '', fraction = ''] = /^(\d{1,20})(?:\.(\d{1,8}))?$/.exec(typed) ?? [];
  if (whole === '') throw invalid(field, 'An amount of PTK: digits, and at most eight after the point.');
  return BigInt(whole + fraction.padEnd(ptkDecimals, '0'));
}

/** A limit as a field shows it. */
export const limitText = (limit: bigint | null): string =>
  limit === null ? '' : formatMinor(limit, ptkDecimals).replace(/\.?0+$/, '');

/** Both limits of a form. Throws `invalid_request` with `field`. */
export const readLimits = (form: URLSearchParams): AppLimits => ({
  max_per_payment: readLimit('max_per_payment', form.get('max_per_payment') ?? ''),
  max_per_day: readLimit('max_per_day', form.get('max_per_day') ?? ''),
});

/**
 * The limit that a payment exceeds, for each payment or for 24 hours (D-234); null where it is within both.
 *
 * @param spent what the app has paid within the last 24 hours
 */
export function exceededLimit(limits: AppLimits, amount: bigint, spent: bigint): LimitName | null {
  const { max_per_payment, max_per_day } = limits;
  if (max_per_payment !== null && amount > max_per_payment) return 'max_per_payment';
  return max_per_day !== null && spent + amount > max_per_day ? 'max_per_day' : null;
}
