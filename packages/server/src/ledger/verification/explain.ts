import { type AccountKind, aboutAccount, kindOfAccount, type Posting } from '../books/index.ts';

/** A transfer's kind by the accounts it goes between: what it debits, then what it credits. */
type Leg = `${AccountKind} > ${AccountKind}`;

interface Explanation {
  /** What happened, in a sentence. */
  why: string;
  /** What each transfer of the posting is. */
  legs: Partial<Record<Leg, string>>;
}

const net = {
  held: 'Net proceeds, under hold',
  available: 'Net proceeds, available at once',
} as const;

/** Where a loss is taken from, in the order of D-074, and where it goes. */
const loss = (to: 'fx' | 'user'): Explanation['legs'] => ({
  [`m:frozen > ${to}`]: 'Taken from the frozen proceeds of this order',
  [`m:held > ${to}`]: 'Taken from the proceeds of this order under hold',
  [`m:guarantee > ${to}`]: 'Taken from the merchant’s guarantee',
  [`m:available > ${to}`]: 'Taken from the merchant’s available PTK',
  [`m:recovery > ${to}`]: 'Not covered: the merchant owes it from now on',
});

const bought: Explanation['legs'] = { 'bank > fx': 'Paid into the bank' };
const outside = (to: AccountKind, words: string): Explanation['legs'] => ({
  ...bought,
  [`fx > ${to}`]: words,
  [`issue > ${to}`]: words,
});

/**
 * Why money moved, for every posting there is: one without words does not compile. The order is the one in which
 * postings on an order follow one another, where they bear the same time.
 */
const explanations: Readonly<Record<Posting, Explanation>> = {
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
    why: 'The card provider has charged a cost of the loss, which nobody gives back.',
    legs: { 'fx > prov': 'Charged by the card provider', ...loss('fx') },
  },
  P10: {
    why: 'Money came in that the order cannot use: a second payment, or one that cannot be fulfilled any more.',
    legs: { 'prov > susp': 'Kept apart until it is returned' },
  },
  P11: {
    why: 'A payment came in that is not what was asked for.',
    legs: { 'prov > susp': 'Kept apart until somebody decides' },
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
    why: 'A withdrawal was asked for.',
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
    why: 'The merchant repaid what it owed from outside.',
    legs: outside('m:recovery', 'Repaid'),
  },
  P18: {
    why: 'What the merchant owed was written off.',
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
};

const sequence = Object.keys(explanations);

const isPosting = (name: string): name is Posting => Object.hasOwn(explanations, name);

/** What a transfer is about, in words for operators. */
export interface Words {
  /** What happened: the same for every transfer of the posting. */
  why: string;
  /** What this transfer is. */
  what: string;
  /** What it goes from and to. */
  from: string;
  to: string;
}

/** A transfer as far as words need it; a posting of a newer version may be unknown. */
export interface Line {
  posting: string;
  debit_account: string;
  credit_account: string;
}

/** Explains one transfer; one that these tables do not know is told by the accounts it goes between. */
export function explain({ posting, debit_account, credit_account }: Line): Words {
  const from = aboutAccount(debit_account);
  const to = aboutAccount(credit_account);
  const known = isPosting(posting) ? explanations[posting] : null;
  const leg = `${kindOfAccount(debit_account) ?? ''} > ${kindOfAccount(credit_account) ?? ''}`;
  const what = known?.legs[leg as Leg] ?? `${from} → ${to}`;
  return { why: known?.why ?? `Posting ${posting}.`, what, from, to };
}

/** Whether this posting may move money between these accounts: whether there are words for it. */
export function hasWords({ posting, debit_account, credit_account }: Line): boolean {
  const leg = `${kindOfAccount(debit_account) ?? ''} > ${kindOfAccount(credit_account) ?? ''}`;
  return isPosting(posting) && explanations[posting].legs[leg as Leg] !== undefined;
}

/** Where a posting stands among those of the same instant. */
export function sequenceOf(posting: string): number {
  const position = sequence.indexOf(posting);
  return position === -1 ? sequence.length : position;
}
