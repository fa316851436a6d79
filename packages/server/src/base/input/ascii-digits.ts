/** The text with its digits as 0 to 9. Phones with an Arabic or a Persian keyboard type others (D-1038). */
export const asciiDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
