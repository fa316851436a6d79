import { isKnownPaid, type PaymentRecord } from './payment-record.ts';

/** The members of an order's payment in the administration API that the checks read, for both kinds of order. */
export interface PaymentDetail {
  attempts: { state: string; provider: string; amount: string; buyer_user_id: string | null }[];
  postings: { posting: string; debit: string; credit: string; currency: string; amount_minor: string }[];
}

/** A paid order. */
export interface Settled {
  order_no: string;
  settlement_ptk: string;
  /** Whose wallet paid it; null: a card did. */
  payer: string | null;
}

/** A paid order is settled by one entry: the buyer is debited once, the merchant gets the net once. */
export function paymentProblems(
  { order_no, settlement_ptk, payer }: Settled,
  { attempts, postings }: PaymentDetail,
): string[] {
  const entry = payer === null ? { posting: 'P1', transfers: 4 } : { posting: 'P2', transfers: 3 };
  const names = postings.map(({ posting }) => posting).join(' ');
  const found: string[] = [];
  if (names !== Array.from({ length: entry.transfers }, () => entry.posting).join(' ')) {
    found.push(`its postings are "${names}"`);
  }
  const sum = (of: typeof postings): bigint =>
    of.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
  const net = sum(postings.filter(({ credit }) => credit === `m:held:${order_no}`));
  if (net.toString() !== settlement_ptk) found.push(`settled ${net}, not ${settlement_ptk}`);
  const account = payer === null ? 'prov:' : `user:${payer}:available`;
  const charged = sum(postings.filter(({ debit }) => debit.startsWith(account)));
  if (charged !== amountOf(attempts[0]?.amount)) found.push(`charged ${charged}`);
  return found;
}

/** A buyer who paid from a wallet got one confirmation, or read the result after a lost answer. */
export function walletProblems(record: PaymentRecord): string[] {
  const found: string[] = [];
  if (record.acknowledged > 1) found.push(`was acknowledged as paid ${record.acknowledged} times`);
  if (!isKnownPaid(record)) found.push('no caller was told whether it is paid');
  if (record.acknowledged === 0 && record.lost_starts === 0) found.push('is paid, and no answer was lost');
  return found;
}

/** A decimal string without its point: all amounts here have the digits of their currency. */
export const amountOf = (text = '0'): bigint => BigInt(text.replace('.', ''));
