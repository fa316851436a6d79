/** The accounts of a merchant's wallet in words, as on the wallet's tiles. */
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('business');

const texts = {
  available: 'available',
  held: 'held',
  frozen: 'frozen',
  guarantee: 'guarantee',
  fee_reserved: 'reserved_for_fees',
  withdrawal_pending: 'payouts_in_progress',
  credit_drawn: 'credit_drawn',
  recovery: 'owed_from_losses',
} as const;

export type WalletAccount = keyof typeof texts;
export const walletAccounts = Object.keys(texts) as WalletAccount[];

export const accountName = (account: WalletAccount): string => t(texts[account]);

/** The account that a line is about. Money that moves between two of them names both. */
export function accountsOf({ from, to }: { from: WalletAccount | null; to: WalletAccount | null }): string {
  return [from, to].flatMap((one) => (one === null ? [] : [accountName(one)])).join(' → ');
}
