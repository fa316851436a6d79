/**
 * The language of the consoles (D-275). The server chose it and wrote it into the page, with all languages that there
 * are.
 */

// Tests have no page.
const page = (globalThis as Partial<typeof globalThis>).document?.documentElement;

/** The BCP 47 tag of the language. It stays the same until the page is loaded again. */
export const language = page?.lang || 'en';

export const direction: 'ltr' | 'rtl' = page?.dir === 'rtl' ? 'rtl' : 'ltr';

/** Every language by its tag, with its own name. */
export const languages = Object.entries(
  JSON.parse(page?.dataset.languages ?? '{}') as Readonly<Record<string, string>>,
);

/** The language for `Intl`. Figures are Western in every language: people compare them with those of their own books. */
export const formatLocale = `${language}-u-nu-latn`;

/** The address of this page in another language. The server remembers the choice (D-340) and leads back. */
export function addressIn(tag: string): string {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  query.set('lang', tag);
  return `${pathname}?${query.toString()}${hash}`;
}
