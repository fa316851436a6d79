const whiteSpace = /[\s\u0085]/;

/**
 * Without ECMAScript white space and U+0085 at its ends (D-021). One step per character: a regular expression that
 * looks for white space before the end takes time by the square of the longest run inside.
 */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && whiteSpace.test(text.charAt(from))) from++;
  while (to > from && whiteSpace.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
