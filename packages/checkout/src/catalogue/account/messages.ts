import type { en } from './en.ts';

export type AccountKey = keyof typeof en;

/** The texts of one language for signing in and the account: apart from the checkout's, whose page carries its own. */
export type AccountMessages = Readonly<Record<AccountKey, string>>;
