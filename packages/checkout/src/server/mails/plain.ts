/**
 * A name in a mail: one line, which adds no line of its own and does not change the direction of what follows, such as an
 * amount (D-933).
 */
export const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
