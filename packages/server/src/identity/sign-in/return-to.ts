/**
 * Where to go after signing in, as an absolute address of ours: own paths only, whatever browsers make of what was
 * asked for (`//evil`, `/\evil`, tabs, dots). Null where it leads anywhere else.
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
  // A path such as `/.//evil` is ours only until a browser reads it again.
  return isOurs && !url.pathname.startsWith('//') ? url.href : null;
}
