/** The catalogue of postings: for each kind, the transfers it may have and the codes of the texts that explain them. */
import type { LedgerKey } from '@paydesk/checkout/ledger-texts';
import type { AccountKind } from './account-kinds.ts';

/** A transfer by the kinds of its accounts: the debited kind, then the credited kind. */
export type Leg = `${AccountKind} > ${AccountKind}`;

/** The transfers that a posting may have, each with the code of the text that says what it does (`ledgerTexts`). */
type Legs = Partial<Record<Leg, WhatCode>>;

/** Says what a transfer does. The texts of the codes, and of the postings themselves, are in every language. */
export type WhatCode = Exclude<
  Extract<LedgerKey, Lowercase<string>>,
  AccountKind | `total_${string}` | `statement_${string}`
>;

/** Codes that several postings use. */
const net = {
  held: 'net_held',
  available: 'net_available',
} as const;

/** The sources of a loss, in the order of D-074, each with its transfer to one destination. */
const loss = (to: 'fx' | 'user'): Legs => ({
  [`m:frozen > ${to}`]: 'loss_from_frozen',
  [`m:held > ${to}`]: 'loss_from_held',
  [`m:guarantee > ${to}`]: 'loss_from_guarantee',
  [`m:available > ${to}`]: 'loss_from_available',
  [`m:recovery > ${to}`]: 'loss_owed',
});

const bought: Legs = { 'bank > fx': 'paid_in' };
const outside = (to: AccountKind, what: WhatCode): Legs => ({
  ...bought,
  [`fx > ${to}`]: what,
  [`issue > ${to}`]: what,
});

const table = {
  P4a: {
    'm:available > m:fee_reserved': 'from_available',
    'm:credit_drawn > m:fee_reserved': 'from_credit_line',
  },
  P1: {
    'prov > inc:buyer_fee': 'buyer_fee',
    'prov > fx': 'invoice',
    'susp > inc:buyer_fee': 'waiting_buyer_fee',
    'susp > fx': 'waiting_invoice',
    'fx > inc:merchant_fee': 'merchant_fee',
    'fx > m:held': net.held,
    'fx > m:available': net.available,
  },
  P21: {
    'm:available > user': 'top_up_net',
    'inc:merchant_fee > user': 'top_up_fee',
  },
  P22: { 'user > m:available': 'top_up_taken_back' },
  P2: {
    'user > inc:buyer_fee': 'buyer_fee',
    'user > inc:merchant_fee': 'merchant_fee',
    'user > m:held': net.held,
    'user > m:available': net.available,
  },
  P4b: { 'm:fee_reserved > inc:merchant_fee': 'merchant_fee' },
  P4c: {
    'm:fee_reserved > m:available': 'back_to_available',
    'm:fee_reserved > m:credit_drawn': 'back_to_credit_line',
  },
  P4d: {
    'm:available > inc:merchant_fee': 'fee_from_available',
    'm:credit_drawn > inc:merchant_fee': 'fee_from_credit_line',
    'm:recovery > inc:merchant_fee': 'fee_owed',
  },
  P6a: { 'm:held > m:frozen': 'proceeds_frozen' },
  P6b: {
    'm:frozen > m:held': 'back_under_hold',
    'm:frozen > m:recovery': 'debt_repaid',
    'm:frozen > m:available': 'released_after_dispute',
  },
  P3: {
    'm:held > m:recovery': 'debt_repaid',
    'm:held > m:available': 'released',
  },
  P7: { 'fx > prov': 'returned_to_buyer', ...loss('fx') },
  P7p: loss('user'),
  P8: { 'fx > prov': 'taken_by_provider', ...loss('fx'), ...loss('user') },
  P9: { 'fx > prov': 'charged_by_provider', ...loss('fx') },
  P10: { 'prov > susp': 'kept_to_return' },
  P11: { 'prov > susp': 'kept_to_decide' },
  P10r: { 'susp > prov': 'returned_to_buyer' },
  P10b: { 'susp > bank': 'repaid_by_bank' },
  P12: { 'm:available > m:guarantee': 'deposited', 'm:guarantee > m:available': 'returned' },
  P12x: outside('m:guarantee', 'deposited'),
  P13: { 'm:available > m:withdrawal_pending': 'set_aside' },
  P13s: { 'm:withdrawal_pending > fx': 'exchanged', 'fx > bank': 'paid_out' },
  P13r: { 'm:withdrawal_pending > m:available': 'back_in_wallet' },
  P14: outside('user', 'added_to_wallet'),
  P14i: { ...outside('user', 'added_to_wallet'), ...outside('m:guarantee', 'deposited') },
  P16: { 'm:available > m:credit_drawn': 'repaid' },
  P17: { ...outside('m:recovery', 'repaid'), 'm:available > m:recovery': 'repaid' },
  P18: { 'exp:loss > m:recovery': 'written_off' },
  P19: {
    'bank > prov': 'received_at_bank',
    'exp:provider_cost > prov': 'kept_by_provider',
  },
  P20: outside('m:available', 'added_to_wallet'),
  P20i: outside('m:available', 'added_to_wallet'),
} satisfies Partial<Record<LedgerKey, Legs>>;

/**
 * All kinds of posting; docs/ledger.md has the amounts. A new kind of posting is added here first. Postings of one order
 * that have the same time are listed in this order.
 */
export const postings: Readonly<Record<Posting, Legs>> = table;

/** The postings by their names in docs/ledger.md. */
export type Posting = keyof typeof table;

/** Whether a name is a known posting. A newer version of the service may have written unknown ones. */
export const isPosting = (name: string): name is Posting => Object.hasOwn(table, name);
