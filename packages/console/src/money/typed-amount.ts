/** Amounts as people type them, in the form that the service takes. */

/**
 * In the digits that the service takes: Arabic, Persian and Japanese keyboards have others, and an Arabic one a point of its
 * own (D-1038). Nothing else changes: the `²` beside the 1 of a French keyboard is no 2 (D-1062).
 */
const inDigits = (text: string): string =>
  text
    .replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace('٫', '.');

/**
 * With a decimal comma as a point: some phones have no other key beside the digits. Only with one or two digits behind it,
 * because `12,500` may be a thousand times as much (D-657).
 */
export const typedAmount = (text: string): string =>
  inDigits(text.trim()).replace(/^(\d+),(\d{1,2})$/, '$1.$2');
