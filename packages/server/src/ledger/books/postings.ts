/** The catalogue of postings: for each kind, the transfers it may have and the texts that explain them. */
import type { AccountKind } from './account-kinds.ts';

/** A transfer by the kinds of its accounts: the debited kind, then the credited kind. */
export type Leg = `${AccountKind} > ${AccountKind}`;

interface PostingKind {
  /** Why the money moves, in one sentence for operators. */
  why: string;
  /** The transfers that the posting may have, and what each of them means. */
  legs: Partial<Record<Leg, string>>;
}

/** Texts that several postings use. */
const net = {
  held: 'Net proceeds, under hold',
  available: 'Net proceeds, available at once',
} as const;

/** The sources of a loss, in the order of D-074, each with its transfer to one destination. */
const loss = (to: 'fx' | 'user'): PostingKind['legs'] => ({
  [`m:frozen > ${to}`]: 'Taken from the frozen proceeds of this order',
  [`m:held > ${to}`]: 'Taken from the proceeds of this order under hold',
  [`m:guarantee > ${to}`]: 'Taken from the merchant’s guarantee',
  [`m:available > ${to}`]: 'Taken from the merchant’s available PTK',
  [`m:recovery > ${to}`]: 'Not covered: the merchant owes it from now on',
});

const bought: PostingKind['legs'] = { 'bank > fx': 'Paid into the bank' };
const outside = (to: AccountKind, words: string): PostingKind['legs'] => ({
  ...bought,
  [`fx > ${to}`]: words,
  [`issue > ${to}`]: words,
});

const table = {
  P4a: {
    why: 'The fee of a payment on the merchant’s own channel is set aside before the buyer may pay.',
    legs: {
      'm:available > m:fee_reserved': 'From the merchant’s available PTK',
      'm:credit_drawn > m:fee_reserved': 'From the merchant’s credit line',
    },
  },
  P1: {
    why: 'The buyer has paid by card on a channel of the platform.',
    legs: {
      'prov > inc:buyer_fee': 'Buyer fee',
      'prov > fx': 'The invoice, exchanged into PTK at the locked price',
      'susp > inc:buyer_fee': 'Buyer fee, out of a receipt that waited for a decision',
      'susp > fx': 'The invoice, out of a receipt that waited for a decision',
      'fx > inc:merchant_fee': 'Merchant fee',
      'fx > m:held': net.held,
      'fx > m:available': net.available,
    },
  },
  P21: {
    why: 'The payment was a top-up: what the platform’s own merchant got goes to the person’s wallet, with its fee.',
    legs: {
      'm:available > user': 'Net proceeds, added to the wallet',
      'inc:merchant_fee > user': 'The merchant fee, which a top-up does not cost',
    },
  },
  P22: {
    why: 'The payment of a top-up went back: it is taken from the wallet as far as the wallet reaches.',
    legs: { 'user > m:available': 'Taken back from the wallet' },
  },
  P2: {
    why: 'The buyer has paid with PTK.',
    legs: {
      'user > inc:buyer_fee': 'Buyer fee',
      'user > inc:merchant_fee': 'Merchant fee',
      'user > m:held': net.held,
      'user > m:available': net.available,
    },
  },
  P4b: {
    why: 'The buyer has paid on the merchant’s own channel: the fee set aside becomes the platform’s.',
    legs: { 'm:fee_reserved > inc:merchant_fee': 'Merchant fee' },
  },
  P4c: {
    why: 'Nothing was paid on the merchant’s own channel: the fee goes back to where it came from.',
    legs: {
      'm:fee_reserved > m:available': 'Back to the merchant’s available PTK',
      'm:fee_reserved > m:credit_drawn': 'Back to the merchant’s credit line',
    },
  },
  P4d: {
    why: 'The buyer has paid on the merchant’s own channel after the fee had been given back: it is taken again.',
    legs: {
      'm:available > inc:merchant_fee': 'Merchant fee, from the merchant’s available PTK',
      'm:credit_drawn > inc:merchant_fee': 'Merchant fee, from the merchant’s credit line',
      'm:recovery > inc:merchant_fee': 'Merchant fee, which the merchant owes from now on',
    },
  },
  P6a: {
    why: 'A complaint was opened: what is still under hold is frozen until it is decided.',
    legs: { 'm:held > m:frozen': 'Proceeds frozen' },
  },
  P6b: {
    why: 'The complaint was dismissed: the frozen proceeds are the merchant’s again.',
    legs: {
      'm:frozen > m:held': 'Back under hold, which has not ended yet',
      'm:frozen > m:recovery': 'Repays what the merchant owed',
      'm:frozen > m:available': 'Released: the hold has ended meanwhile',
    },
  },
  P3: {
    why: 'The hold has ended.',
    legs: {
      'm:held > m:recovery': 'Repays what the merchant owed',
      'm:held > m:available': 'Released to the merchant',
    },
  },
  P7: {
    why: 'The payment was refunded by card in full; the fees stay with the platform.',
    legs: { 'fx > prov': 'Returned to the buyer by the card provider', ...loss('fx') },
  },
  P7p: {
    why: 'The payment was refunded in PTK in full; the fees stay with the platform.',
    legs: loss('user'),
  },
  P8: {
    why: 'The payment was charged back: the dispute is finally lost.',
    legs: { 'fx > prov': 'Taken back by the card provider', ...loss('fx'), ...loss('user') },
  },
  P9: {
    why: 'The card provider has charged a cost of the loss, which the platform does not get back.',
    legs: { 'fx > prov': 'Charged by the card provider', ...loss('fx') },
  },
  P10: {
    why: 'Money came in that the order cannot use: a second payment, or one that cannot be fulfilled any more.',
    legs: { 'prov > susp': 'Kept apart until it is returned' },
  },
  P11: {
    why: 'A payment came in that differs from the request.',
    legs: { 'prov > susp': 'Kept apart until a person decides' },
  },
  P10r: {
    why: 'Money that was kept apart went back to the buyer.',
    legs: { 'susp > prov': 'Returned to the buyer by the card provider' },
  },
  P12: {
    why: 'The merchant’s guarantee was raised out of its wallet, or returned to it.',
    legs: { 'm:available > m:guarantee': 'Deposited', 'm:guarantee > m:available': 'Returned' },
  },
  P12x: {
    why: 'A guarantee was deposited from outside.',
    legs: outside('m:guarantee', 'Deposited'),
  },
  P13: {
    why: 'A withdrawal was requested.',
    legs: { 'm:available > m:withdrawal_pending': 'Set aside' },
  },
  P13s: {
    why: 'A withdrawal was paid out.',
    legs: { 'm:withdrawal_pending > fx': 'Exchanged', 'fx > bank': 'Paid out at the bank' },
  },
  P13r: {
    why: 'A withdrawal was rejected.',
    legs: { 'm:withdrawal_pending > m:available': 'Back in the wallet' },
  },
  P14: { why: 'A person bought PTK.', legs: outside('user', 'Added to the wallet') },
  P14i: {
    why: 'PTK was given without a payment.',
    legs: { ...outside('user', 'Added to the wallet'), ...outside('m:guarantee', 'Deposited') },
  },
  P16: {
    why: 'The merchant repaid drawn credit out of its wallet.',
    legs: { 'm:available > m:credit_drawn': 'Repaid' },
  },
  P17: {
    why: 'The merchant repaid its debt from outside.',
    legs: outside('m:recovery', 'Repaid'),
  },
  P18: {
    why: 'The merchant’s debt was written off.',
    legs: { 'exp:loss > m:recovery': 'Written off' },
  },
  P19: {
    why: 'The card provider paid out.',
    legs: {
      'bank > prov': 'Received at the bank',
      'exp:provider_cost > prov': 'Kept by the provider for its service',
    },
  },
  P20: { why: 'The merchant bought PTK.', legs: outside('m:available', 'Added to the wallet') },
  P20i: {
    why: 'PTK was given to the merchant without a payment.',
    legs: outside('m:available', 'Added to the wallet'),
  },
} satisfies Record<string, PostingKind>;

/**
 * All kinds of posting, with their texts for operators; docs/ledger.md has the amounts. A new kind of posting
 * is added here first. Postings of one order that have the same time are listed in this order.
 */
export const postings: Readonly<Record<Posting, PostingKind>> = table;

/** The postings by their names in docs/ledger.md. */
export type Posting = keyof typeof table;

/** Whether a name is a known posting. A newer version of the service may have written unknown ones. */
export const isPosting = (name: string): name is Posting => Object.hasOwn(table, name);
