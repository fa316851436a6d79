/** Decides where a browser may go after signing in: only to our own pages. */
/**
 * The absolute address of one of our own pages; null for any other target, also where only a browser would read the
 * path as another site (`//evil`, `/\evil`, tabs, dots).
 *
 * @param public_url origin and path prefix of the service
 */
export function ownAddress(public_url: string, path: unknown): string | null {
  if (typeof path !== 'string' || !/^\/[^\\\p{Cc}]*$/u.test(path) || path.startsWith('//')) return null;
  const { origin, pathname } = new URL(public_url);
  if (!URL.canParse(path, origin)) return null;
  const url = new URL(path, origin);
  const prefix = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const isOurs = url.origin === origin && url.username === '' && url.pathname.startsWith(prefix);
  // A browser that reads a path such as `/.//evil` again would leave our site.
  return isOurs && !url.pathname.startsWith('//') ? url.href : null;
}
