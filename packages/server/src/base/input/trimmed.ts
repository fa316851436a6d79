const whiteSpace = /[\s\u0085]/;

/**
 * The text without ECMAScript white space and U+0085 at its ends (D-021), as the SDKs trim a reference (D-923). It goes
 * character by character, because a regular expression takes quadratic time on a long run of white space inside the text.
 */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && whiteSpace.test(text.charAt(from))) from++;
  while (to > from && whiteSpace.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
