/** The texts of a product that a search looks at. */
export interface SearchedTexts {
  gd_name: string;
  gd_description: string;
  keywords: string;
}

/** Stands between name, description and keywords, none of which holds control characters: no match crosses it. */
const seam = '\u001f';

/**
 * A text as searches compare it: composed, and without case. Folded character by character, so that a part of a text
 * folds to a part of the folded text.
 */
export function fold(text: string): string {
  return Array.from(text.normalize('NFC'), (c) => c.toUpperCase().toLowerCase()).join('');
}

/** All that a product is found by, folded (D-188). */
export const foldedOf = ({ gd_name, gd_description, keywords }: SearchedTexts): string =>
  [gd_name, gd_description, keywords].map(fold).join(seam);

/** Sequences of so many characters at most are indexed. */
const longest = 3;

/**
 * Numbers for every sequence of one, two and three characters of a folded text. A number stands for many sequences of
 * many merchants, hardly ever for two of one: whoever finds a row by it looks at the text as well.
 */
export function gramsOf(merchant_id: string, folded: string): number[] {
  const chars = Array.from(folded);
  const seed = hashed(offsetBasis, merchant_id);
  const grams = new Set<number>();
  for (let start = 0; start < chars.length; start++) {
    let hash = seed;
    for (const char of chars.slice(start, start + longest)) {
      hash = hashed(hash, char);
      grams.add(hash);
    }
  }
  return [...grams];
}

/**
 * Grams that every text containing this one has: as few as cover it.
 *
 * @param folded not empty
 */
export function gramsToFind(merchant_id: string, folded: string): number[] {
  const chars = Array.from(folded);
  const seed = hashed(offsetBasis, merchant_id);
  const last = Math.max(0, chars.length - longest);
  const grams = new Set<number>();
  for (let start = 0; start < chars.length; start += longest) {
    const from = Math.min(start, last);
    grams.add(chars.slice(from, from + longest).reduce(hashed, seed));
  }
  return [...grams];
}

const offsetBasis = 0x811c9dc5;

/** FNV-1a over UTF-16 code units, as a signed 32-bit number. */
function hashed(hash: number, text: string): number {
  let value = hash;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}
