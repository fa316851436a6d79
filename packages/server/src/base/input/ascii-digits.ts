/**
 * The text with its digits as 0 to 9, and wide characters as narrow ones. Phones with an Arabic, a Persian or a Japanese
 * keyboard type others (D-1038). Nothing else changes: the `²` beside the 1 of a French keyboard is no 2 (D-1062).
 */
export const asciiDigits = (text: string): string =>
  text
    .replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
