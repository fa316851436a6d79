/** Puts a line of text into the order in which it is drawn: PDFs have no direction of writing. */

/** A part of a line that runs in one direction. */
export interface Run {
  text: string;
  rtl: boolean;
}

const letter = /\p{L}/u;
/** Digits of any script run from left to right. */
const digit = /\p{Nd}/u;
const rightToLeft = /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
/** Signs inside a number, a time or a date. */
const separator = /[.,:/\u066b\u066c\u00a0\u202f-]/u;

const mirrored: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' },
};

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/**
 * The runs of a line from left to right as they are drawn, by the main rules of the Unicode Bidirectional Algorithm.
 * The first letter decides which way the line runs. Signs and spaces between two texts of one direction run with them,
 * all others with the line; a number counts as text from right to left unless a letter from left to right is before it.
 */
export function visualRuns(line: string): Run[] {
  const chars = Array.from(line);
  const isLineRtl = rightToLeft.test(chars.find((char) => letter.test(char)) ?? '');
  let strong = isLineRtl;
  /** The direction that each character gives the signs beside it; null for a sign. */
  const sides = chars.map((char) => {
    if (rightToLeft.test(char)) return (strong = true);
    if (letter.test(char)) return (strong = false);
    return digit.test(char) ? strong : null;
  });
  const sideAt = (i: number): boolean => {
    const before = sides.slice(0, i).findLast((side) => side !== null);
    const after = sides.slice(i).find((side) => side !== null);
    return before === after ? (before ?? isLineRtl) : isLineRtl;
  };
  const isInNumber = (i: number): boolean =>
    digit.test(chars[i] ?? '') ||
    (separator.test(chars[i] ?? '') && digit.test(chars[i - 1] ?? '') && digit.test(chars[i + 1] ?? ''));
  const runs: Run[] = [];
  for (const [i, char] of chars.entries()) {
    const rtl = !isInNumber(i) && (sides[i] ?? sideAt(i));
    const drawn = rtl ? (mirrored[char] ?? char) : char;
    const last = runs.at(-1);
    if (last?.rtl === rtl) last.text += drawn;
    else runs.push({ text: drawn, rtl });
  }
  // Fonts reverse letters that run from right to left by themselves, but not signs alone.
  const drawn = runs.map(({ text, rtl }) => ({
    rtl,
    text: rtl && !rightToLeft.test(text) ? Array.from(text).reverse().join('') : text,
  }));
  return isLineRtl ? drawn.reverse() : drawn;
}
