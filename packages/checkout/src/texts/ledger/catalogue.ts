/** The texts of the books and of statements, by language (D-495). The consoles load the same files by themselves. */
import type { Locale } from '../../model/locale.ts';
import { texts as ar } from './ar.ts';
import { texts as de } from './de.ts';
import { texts as en } from './en.ts';
import { texts as es } from './es.ts';
import { texts as fr } from './fr.ts';
import { texts as ja } from './ja.ts';
import type { LedgerTexts } from './messages.ts';
import { texts as zhHans } from './zh-hans.ts';

export type { LedgerKey } from './messages.ts';

export const ledgerTexts: Readonly<Record<Locale, LedgerTexts>> = {
  en,
  de,
  es,
  fr,
  'zh-Hans': zhHans,
  ja,
  ar,
};
