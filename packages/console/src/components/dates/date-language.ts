/** The language of calendars. English is built in. */
import { language } from '../../texts/language.ts';

interface DateLanguage {
  /** The name of the library's. */
  locale: string;
  /** The first day of the week; 0 is Sunday. */
  firstDayOfWeek: 0 | 1 | 6;
}

const files: Readonly<Record<string, DateLanguage & { load: () => Promise<unknown> }>> = {
  ar: { locale: 'ar', firstDayOfWeek: 6, load: () => import('dayjs/locale/ar.js') },
  de: { locale: 'de', firstDayOfWeek: 1, load: () => import('dayjs/locale/de.js') },
  es: { locale: 'es', firstDayOfWeek: 1, load: () => import('dayjs/locale/es.js') },
  fr: { locale: 'fr', firstDayOfWeek: 1, load: () => import('dayjs/locale/fr.js') },
  ja: { locale: 'ja', firstDayOfWeek: 0, load: () => import('dayjs/locale/ja.js') },
  'zh-Hans': { locale: 'zh-cn', firstDayOfWeek: 1, load: () => import('dayjs/locale/zh-cn.js') },
};

/** The names of months and days, and the order of the week, in the language of the page. */
export const dateLanguage: DateLanguage = files[language] ?? { locale: 'en', firstDayOfWeek: 1 };

/** Loads what a calendar writes. Call it before one is shown. */
export const loadDateLanguage = async (): Promise<void> => {
  await files[language]?.load();
};
