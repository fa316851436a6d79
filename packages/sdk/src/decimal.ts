const grammar = /^([0-9]+)(?:\.([0-9]+))?$/;

/** The one spelling of a decimal string that all its equals share (`007.50` → `7.5`), or undefined. */
export function canonicalAmount(text: unknown): string | undefined {
  const match = typeof text === 'string' ? grammar.exec(text) : null;
  if (match === null) return undefined;
  const whole = (match[1] ?? '').replace(/^0+(?=[0-9])/, '');
  const fraction = withoutTrailingZeros(match[2] ?? '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** A loop, as a pattern like `0+$` takes quadratic time on a long run of zeros that does not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Whether two decimal strings state the same number, exactly: `10`, `10.0` and `010.00` are one amount
 * . Says nothing about currencies: compare those as well. Throws `TypeError` for anything that is not
 * an unsigned decimal string, so that a wrong value is never taken for a difference or a match.
 */
export function sameAmount(a: string, b: string): boolean {
  const [left, right] = [canonicalAmount(a), canonicalAmount(b)];
  if (left === undefined || right === undefined) {
    throw new TypeError('sameAmount compares decimal strings such as "10.00"');
  }
  return left === right;
}
