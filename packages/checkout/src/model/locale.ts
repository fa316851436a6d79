/** The languages of the buyer's pages, and how the language of a page is chosen. */
/** The languages of the checkout, by BCP 47 tag, each with its own name. */
export const locales = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'zh-Hans': '简体中文',
  ja: '日本語',
  ar: 'العربية',
} as const satisfies Record<string, string>;

export type Locale = keyof typeof locales;

export const localeTags = Object.keys(locales) as Locale[];

export const isLocale = (tag: string): tag is Locale => Object.hasOwn(locales, tag);

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr');

/**
 * The language of a page: the buyer's own choice if it is one of ours, else the best of `Accept-Language`, else
 * English.
 *
 * @param chosen the buyer's choice, from a query or a cookie
 * @param header the `Accept-Language` header
 */
export function negotiateLocale(header: string | undefined, chosen?: string | null): Locale {
  if (chosen !== undefined && chosen !== null && isLocale(chosen)) return chosen;
  // A header can be long: only its beginning is read.
  const wanted = (header ?? '').slice(0, 500).split(',').map(readRange);
  wanted.sort((a, b) => b.quality - a.quality);
  for (const { tag, quality } of wanted) {
    const locale = quality > 0 ? nearest(tag) : null;
    if (locale !== null) return locale;
  }
  return 'en';
}

function readRange(range: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { tag: tag.toLowerCase(), quality: Number.isFinite(quality) ? quality : 0 };
}

function nearest(tag: string): Locale | null {
  const [language = ''] = tag.split('-');
  // We have no Traditional Chinese; Simplified Chinese is nearer to it than English.
  if (language === 'zh') return 'zh-Hans';
  return isLocale(language) ? language : null;
}
