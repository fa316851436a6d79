/** The texts of the checkout by language. */
import type { Locale } from '../model/locale.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Messages } from './messages.ts';
import { zhHans } from './zh-hans.ts';

export const catalogue: Readonly<Record<Locale, Messages>> = { en, de, es, fr, 'zh-Hans': zhHans, ja, ar };

/** The texts of a language. */
export const messagesIn = (locale: Locale): Messages => catalogue[locale];
