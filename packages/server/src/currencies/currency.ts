/** Currencies, their rates, and the conversion between their amounts and PTK. */
import { invalid } from '../base/errors.ts';
import { divideHalfUp, maxMinor, parseDecimal, ptk, ptkDecimals } from '../base/money.ts';

/** A currency that orders may be priced in, under exactly this code (R-068, D-035, D-040). */
export interface Currency {
  code: string;
  decimals: number;
  enabled: boolean;
  min_minor: bigint;
  max_minor: bigint;
}

/** The price of 1 PTK in a currency, times 10^12, and the end of its validity (D-057). */
export interface Rate {
  currency: string;
  price_e12: bigint;
  valid_until: Date | null;
}

/** The price of 1 PTK in PTK. */
const ptkPrice_e12 = 1_000_000_000_000n;

const priceScale = 12;

/**
 * Parses a price: a positive decimal string with at most 12 places.
 *
 * @returns the price times 10^12
 * @throws AppError `invalid_request` on `ptk_price`
 */
export function parsePrice(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null || value.scale > priceScale || value.digits === 0n || text.length > 40) {
    throw invalid('ptk_price', 'The price must be a positive decimal string with at most 12 places.');
  }
  return value.digits * 10n ** BigInt(priceScale - value.scale);
}

/** The price that is valid at `now`, times 10^12; null if there is none (R-141, D-068). PTK needs no rate. */
export function priceAt(currency: string, rate: Rate | null, now: Date): bigint | null {
  if (currency === ptk) return ptkPrice_e12;
  if (rate === null || (rate.valid_until !== null && rate.valid_until <= now)) return null;
  return rate.price_e12;
}

/**
 * Converts an amount in minor units to PTK at 8-decimal fixed point, rounded half up. The PTK subtotal, the gross
 * settlement and every fee use this one conversion, so that equal inputs give equal results (R-123, D-058).
 */
export function toPtk(minor: bigint, decimals: number, price_e12: bigint): bigint {
  const numerator = minor * 10n ** BigInt(ptkDecimals + priceScale);
  return divideHalfUp(numerator, 10n ** BigInt(decimals) * price_e12);
}

/**
 * Converts PTK at 8-decimal fixed point to minor units of a currency, rounded half up. It is used to show a PTK fee in
 * the currency of an order (D-181), never to book an amount.
 */
export function fromPtk(amount_ptk: bigint, decimals: number, price_e12: bigint): bigint {
  const numerator = amount_ptk * price_e12 * 10n ** BigInt(decimals);
  return divideHalfUp(numerator, 10n ** BigInt(ptkDecimals + priceScale));
}

/**
 * Checks the settings of a currency, and returns them. Codes are upper-case, so the token currency has one spelling,
 * `PTK` (R-003, D-001). The limits apply to one invoice (R-094, D-040).
 *
 * @throws AppError `invalid_request` with the wrong field
 */
export function checkCurrency(currency: Currency): Currency {
  if (!/^[A-Z]{3,10}$/.test(currency.code)) throw invalid('code', 'A currency code is upper-case letters.');
  if (!Number.isInteger(currency.decimals) || currency.decimals < 0 || currency.decimals > 8)
    throw invalid('decimals', 'Decimals must be a whole number from 0 to 8.');
  if (currency.code === ptk && currency.decimals !== ptkDecimals)
    throw invalid('decimals', 'PTK has 8 decimals.');
  if (currency.min_minor < 1n) throw invalid('min_minor', 'The minimum must be at least 1.');
  // The console asks for whole amounts, so this names no smallest units (D-1319).
  if (currency.max_minor < currency.min_minor)
    throw invalid('max_minor', 'The maximum must not be below the minimum.');
  if (currency.max_minor > maxMinor)
    throw invalid('max_minor', `The maximum is at most ${maxMinor.toString()} minor units.`);
  return currency;
}
