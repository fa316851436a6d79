/** The text of a product that the search compares, and the hashes (grams) that its index holds. */

/** The texts of a product that are searched. */
export interface SearchedTexts {
  gd_name: string;
  gd_description: string;
  keywords: string;
}

/** Separates name, description and keywords. None contains control characters, so no match spans two of them. */
const seam = '\u001f';

/**
 * Folds a text for comparison: composed, and without case. Each character is folded alone, so a part folds to a
 * part of the folded text.
 */
export function fold(text: string): string {
  return Array.from(text.normalize('NFC'), (c) => c.toUpperCase().toLowerCase()).join('');
}

/** Returns the searched text of a product: name, description and keywords, folded (R-341, D-188). */
export const foldedOf = ({ gd_name, gd_description, keywords }: SearchedTexts): string =>
  [gd_name, gd_description, keywords].map(fold).join(seam);

/** Maximum length of an indexed sequence, in characters. */
const longest = 3;

/**
 * Returns the hashes of every sequence of one, two and three characters of a folded text. Two sequences of one merchant
 * rarely share a hash, but they can: a search compares the text as well.
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
 * Returns the grams that every text containing this one has: as few as cover it.
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
