/** Text from outside as a part of one line for people. */

/**
 * Shows line breaks, control characters, invisible direction marks and the backslash as escapes, so that a text cannot
 * begin a new line or control a terminal (D-972).
 */
export const oneLine = (text: string): string =>
  text.replace(/[\\\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\\'
      ? '\\\\'
      : (short[character] ?? `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`),
  );

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
