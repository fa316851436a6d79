/** The type of the account pages' texts, from the English ones. */
import type { en } from './en.ts';

export type AccountKey = keyof typeof en;

/** The texts of one language for signing in and the account. */
export type AccountMessages = Readonly<Record<AccountKey, string>>;
