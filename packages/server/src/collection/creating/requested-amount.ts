/** The amount of a creation request: its two forms, and the checks of its form, precision and range. */
import { AppError, invalid } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { type Decimal, maxMinor, parseDecimal, sameAmount, toMinor } from '../../base/money.ts';
import type { Currency } from '../../currencies/index.ts';

/** The requested amount in one of its two forms. It is not checked against a currency yet. */
export type RequestedAmount = { form: 'decimal'; value: Decimal } | { form: 'minor'; value: bigint };

/**
 * Reads the amount in one of its two forms and never adjusts it. Both forms together are refused, and
 * so is neither. A null member counts as present (D-004, D-036). `amount` is a string of digits with at
 * most one point, not trimmed, of at most 64 bytes, and not zero. No digit is lost to a
 * float. Leading zeros are allowed (R-091, D-038). Its form is checked here, before currency, precision and
 * range.
 *
 * @throws AppError `invalid_amount`; `invalid_request` for a wrong `amount_minor`
 */
export function readAmount(body: Record<string, JsonValue>): RequestedAmount {
  const hasAmount = Object.hasOwn(body, 'amount');
  const hasMinor = Object.hasOwn(body, 'amount_minor');
  if (hasAmount && hasMinor) throw invalidAmount('Send either amount or amount_minor, not both.');
  if (hasMinor) return { form: 'minor', value: readMinor(body.amount_minor) };
  const text = body.amount;
  if (typeof text !== 'string' || Buffer.byteLength(text, 'utf8') > 64) throw invalidAmount();
  const value = parseDecimal(text);
  if (value === null || value.digits === 0n) throw invalidAmount();
  return { form: 'decimal', value };
}

function invalidAmount(description?: string): AppError {
  return new AppError('invalid_amount', {
    field: 'amount',
    ...(description === undefined ? {} : { description }),
  });
}

/** The JSON reader returns a number only if it is whole and exact (R-095, R-096, D-037, D-039). */
function readMinor(value: JsonValue | undefined): bigint {
  const minor = typeof value === 'number' ? BigInt(value) : 0n;
  if (minor < 1n || minor > maxMinor) {
    throw invalid('amount_minor', 'amount_minor must be a whole number from 1 to 9007199254740991.');
  }
  return minor;
}

/**
 * The amount in minor units of its currency. The precision is checked first, then the currency's range
 * (R-094, R-098, D-040).
 *
 * @throws AppError `invalid_amount_precision`, `invalid_amount`; `invalid_request` for `amount_minor`
 */
export function minorOf(amount: RequestedAmount, currency: Currency): bigint {
  const minor = amount.form === 'minor' ? amount.value : toMinor(amount.value, currency.decimals);
  if (minor === null) throw new AppError('invalid_amount_precision', { field: 'amount' });
  if (minor >= currency.min_minor && minor <= currency.max_minor) return minor;
  if (amount.form === 'decimal') throw invalidAmount();
  throw new AppError('invalid_request', {
    field: 'amount_minor',
    description: 'amount_minor is outside the range of its currency.',
  });
}

/**
 * Whether a repetition states the amount of its order, in either form, at the order's stored
 * precision, not the current one (R-106, D-028).
 */
export function isSameAmount(
  amount: RequestedAmount,
  order: { amount_minor: bigint; currency_decimals: number },
): boolean {
  return amount.form === 'minor'
    ? amount.value === order.amount_minor
    : sameAmount(amount.value, order.amount_minor, order.currency_decimals);
}
