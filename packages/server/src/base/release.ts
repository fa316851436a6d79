/** The release of this build, and how releases are ordered. */
import { readFileSync } from 'node:fs';

/** The version of the package, such as `0.2.0`. It is next to `src/` and next to `dist/`. */
export const { version: release } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const pattern = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Whether a text names a release: three numbers. */
export const isRelease = (text: string): boolean => pattern.test(text);

/**
 * Whether one release is older than another.
 *
 * @throws Error if one of them is not a release
 */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const differing = a.findIndex((part, i) => part !== b[i]);
  return differing !== -1 && (a[differing] ?? 0) < (b[differing] ?? 0);
}

function partsOf(text: string): number[] {
  const [, ...parts] = pattern.exec(text) ?? [];
  if (parts.length === 0) throw new Error(`"${text}" is not a release such as 0.2.0`);
  return parts.map(Number);
}
