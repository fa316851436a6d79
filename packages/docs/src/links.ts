/** Where the relative links of a file lead on the site. */
import { posix } from 'node:path';
import type { PlannedPage } from './plan.ts';
import { origin_mark } from './site.ts';

/** Where a link leads: an address, or null if its target is not part of the site, such as a source file. */
export interface Links {
  /** @param target the link as written */
  page(target: string): { href: string; path: string; anchor: string | null } | null;
  /** @param target the address of a picture as written; gives its file from the root of the repository */
  picture(target: string): string;
}

export const isAbsolute = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target);

/**
 * Links name files, or addresses of the service such as `/docs/errors` for pages that have no file.
 *
 * @param file the file that contains the links; null for a generated page
 */
export function linksFrom(file: string | null, pages: readonly PlannedPage[]): Links {
  const pathOf = new Map(pages.flatMap((page) => (page.file === null ? [] : [[page.file, page.path]])));
  const own = pages.find((page) => file !== null && page.file === file)?.path ?? '';
  const resolve = (target: string): string => posix.normalize(posix.join(posix.dirname(file ?? ''), target));
  return {
    page(target) {
      const [name = '', anchor = null] = target.split('#');
      const served = pages.find((page) => `/docs/${page.path}` === name)?.path;
      const path = name === '' ? own : (served ?? pathOf.get(resolve(name)));
      if (path === undefined) return null;
      const fragment = anchor === null ? '' : `#${anchor}`;
      return { href: `${origin_mark}/docs/${path}${fragment}`, path, anchor };
    },
    picture: resolve,
  };
}
