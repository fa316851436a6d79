/** Finds the name that was meant by a misspelt one, for "did you mean". */

/**
 * The known name that is nearest to a misspelt one: at most a third of its letters away, or one that begins with it or
 * ends with it.
 *
 * @returns null if no name is near
 */
export function nearestName(misspelt: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, distance: distanceBetween(misspelt.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [first] = near;
  if (first === undefined) return null;
  if (first.distance <= Math.max(1, Math.min(3, Math.floor(misspelt.length / 3)))) return first.name;
  const part = near.find(({ name }) => isPartOf(misspelt, name) || isPartOf(name, misspelt));
  return part?.name ?? null;
}

/** Whether `long` is `short` with more words before or after it. */
const isPartOf = (short: string, long: string): boolean =>
  short.length >= 3 &&
  ['-', '_'].some((mark) => long.startsWith(`${short}${mark}`) || long.endsWith(`${mark}${short}`));

/** The number of letters to insert, delete or replace (Levenshtein). */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
