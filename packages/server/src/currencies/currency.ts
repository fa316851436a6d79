import { invalid } from '../base/errors.ts';
import { divideHalfUp, maxMinor, parseDecimal, ptk, ptkDecimals } from '../base/money.ts';

/** A currency that orders may be priced in (R-068, D-040). */
export interface Currency {
  code: string;
  decimals: number;
  enabled: boolean;
  min_minor: bigint;
  max_minor: bigint;
}

/** The price of 1 PTK in a currency, times 10^12, and how long it holds (D-057). */
export interface Rate {
  currency: string;
  price_e12: bigint;
  valid_until: Date | null;
}

/** PTK costs one PTK. */
export const ptkPrice_e12 = 1_000_000_000_000n;

const priceScale = 12;

/** A price written as a decimal string of at most 12 places. Throws `invalid_request` on `ptk_price`. */
export function parsePrice(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null || value.scale > priceScale || value.digits === 0n || text.length > 40) {
    throw invalid('ptk_price', 'The price must be a positive decimal string with at most 12 places.');
  }
  return value.digits * 10n ** BigInt(priceScale - value.scale);
}

/** The price that holds at `now`, or null where there is none (D-068). PTK needs no rate. */
export function priceAt(currency: string, rate: Rate | null, now: Date): bigint | null {
  if (currency === ptk) return ptkPrice_e12;
  if (rate === null || (rate.valid_until !== null && rate.valid_until <= now)) return null;
  return rate.price_e12;
}

/**
 * A minor amount in PTK at 8-decimal fixed point, rounded half up. The one conversion of the service: the PTK
 * subtotal, the gross settlement and every fee go through it, so that equal inputs give equal numbers (D-058).
 */
export function toPtk(minor: bigint, decimals: number, price_e12: bigint): bigint {
  const numerator = minor * 10n ** BigInt(ptkDecimals + priceScale);
  return divideHalfUp(numerator, 10n ** BigInt(decimals) * price_e12);
}

/**
 * An amount of PTK in minor units of a currency, rounded half up, for telling what a PTK fee comes to in the currency
 * that an order is priced in (D-181). Nothing is booked by it.
 */
export function fromPtk(amount_ptk: bigint, decimals: number, price_e12: bigint): bigint {
  const numerator = amount_ptk * price_e12 * 10n ** BigInt(decimals);
  return divideHalfUp(numerator, 10n ** BigInt(ptkDecimals + priceScale));
}

/** Checks a currency's own numbers. Throws `invalid_request` with the field at fault. */
export function checkCurrency(currency: Currency): Currency {
  if (!/^[A-Z]{3,10}$/.test(currency.code)) throw invalid('code', 'A currency code is upper-case letters.');
  if (!Number.isInteger(currency.decimals) || currency.decimals < 0 || currency.decimals > 8)
    throw invalid('decimals', 'Decimals range from 0 to 8.');
  if (currency.code === ptk && currency.decimals !== ptkDecimals)
    throw invalid('decimals', 'PTK has 8 decimals.');
  if (currency.min_minor < 1n) throw invalid('min_minor', 'The minimum is at least 1.');
  if (currency.max_minor < currency.min_minor || currency.max_minor > maxMinor) {
    throw invalid('max_minor', `The maximum lies between the minimum and ${maxMinor.toString()}.`);
  }
  return currency;
}
