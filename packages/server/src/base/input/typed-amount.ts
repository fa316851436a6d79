import { asciiDigits } from './ascii-digits.ts';

/**
 * An amount as people type it, in the form of a creation request: a comma or an Arabic sign as the point, other digits.
 * `1,000` is refused, because it means a thousand to some.
 */
export function amountTyped(text: string): string {
  const plain = asciiDigits(text).trim().replace('٫', '.');
  return /^\d+,\d{1,2}$/.test(plain) ? plain.replace(',', '.') : plain;
}
