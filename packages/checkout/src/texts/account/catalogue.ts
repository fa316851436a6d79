/**
 * The texts of the account pages by language. They are apart from the checkout's texts, which its page carries to the
 * browser.
 */
import type { Locale } from '../../model/locale.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { AccountMessages } from './messages.ts';
import { zhHans } from './zh-hans.ts';

export const accountCatalogue: Readonly<Record<Locale, AccountMessages>> = {
  en,
  de,
  es,
  fr,
  'zh-Hans': zhHans,
  ja,
  ar,
};
