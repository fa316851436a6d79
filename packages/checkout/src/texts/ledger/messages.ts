/** The type of the texts of the books, from the English ones. */
import type { texts } from './en.ts';

export type LedgerKey = keyof typeof texts;

export type LedgerTexts = Readonly<Record<LedgerKey, string>>;
