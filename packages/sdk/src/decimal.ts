/** Exact comparison of decimal strings. */
const grammar = /^([0-9]+)(?:\.([0-9]+))?$/;

/** The canonical form of a decimal string (`007.50` → `7.5`); undefined if it is not a decimal string. */
export function canonicalAmount(text: unknown): string | undefined {
  const match = typeof text === 'string' ? grammar.exec(text) : null;
  if (match === null) return undefined;
  const whole = (match[1] ?? '').replace(/^0+(?=[0-9])/, '');
  const fraction = withoutTrailingZeros(match[2] ?? '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** A loop, because the pattern `0+$` takes quadratic time for many zeros in the middle of the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Whether two decimal strings are exactly the same number: `10`, `10.0` and `010.00` are equal.
 * Compare the currencies too. Throws `TypeError` for anything that is not an unsigned decimal string, so that
 * a wrong value is neither a match nor a difference.
 */
export function sameAmount(a: string, b: string): boolean {
  const [left, right] = [canonicalAmount(a), canonicalAmount(b)];
  if (left === undefined || right === undefined) {
    throw new TypeError('sameAmount compares decimal strings such as "10.00"');
  }
  return left === right;
}
