/** The kind of an account: its name without the order, channel or currency. docs/ledger.md lists all kinds. */
export type AccountKind = keyof typeof accountKinds;

interface KindOfAccount {
  /** What an account of this kind holds, in words for operators. */
  about: string;
  /** The side on which it grows. The accounts between two currencies grow on both sides; their credits count here. */
  grows: 'credit' | 'debit';
}

const accountKinds = {
  user: { about: 'The buyer’s PTK', grows: 'credit' },
  'm:available': { about: 'The merchant’s available PTK', grows: 'credit' },
  'm:held': { about: 'Net proceeds of this order, under hold', grows: 'credit' },
  'm:frozen': { about: 'Net proceeds of this order, frozen by a complaint', grows: 'credit' },
  'm:guarantee': { about: 'The merchant’s guarantee', grows: 'credit' },
  'm:fee_reserved': { about: 'The fee set aside for this order', grows: 'credit' },
  'm:withdrawal_pending': { about: 'PTK waiting to be paid out', grows: 'credit' },
  'm:credit_drawn': { about: 'Credit that the merchant has drawn', grows: 'debit' },
  'm:recovery': { about: 'What the merchant owes the platform', grows: 'debit' },
  'inc:merchant_fee': { about: 'The platform’s merchant fees', grows: 'credit' },
  'inc:buyer_fee': { about: 'The platform’s buyer fees', grows: 'credit' },
  prov: { about: 'What the card provider owes the platform', grows: 'debit' },
  bank: { about: 'The platform’s bank money', grows: 'debit' },
  fx: { about: 'The exchange between a currency and PTK', grows: 'credit' },
  susp: { about: 'Money that waits for a decision', grows: 'credit' },
  'exp:provider_cost': { about: 'What card providers charge', grows: 'debit' },
  'exp:loss': { about: 'Debts of merchants that were written off', grows: 'debit' },
  issue: { about: 'PTK issued without a payment', grows: 'credit' },
} satisfies Record<string, KindOfAccount>;

/** The kind of an account by its name (`m:held:mp_…`, `prov:ch_…:USD`); null if the name is unknown. */
export function kindOfAccount(name: string): AccountKind | null {
  const [first = '', second = ''] = name.split(':', 2);
  for (const kind of [`${first}:${second}`, first]) if (isKind(kind)) return kind;
  return null;
}

const isKind = (text: string): text is AccountKind => Object.hasOwn(accountKinds, text);

/** What an account holds, in words; the name itself if it is unknown. */
export function aboutAccount(name: string): string {
  const kind = kindOfAccount(name);
  return kind === null ? name : accountKinds[kind].about;
}

/** The side on which an account grows; `credit` if the name is unknown. */
export function growthOf(name: string): 'credit' | 'debit' {
  const kind = kindOfAccount(name);
  return kind === null ? 'credit' : accountKinds[kind].grows;
}

export const accountKindNames = Object.keys(accountKinds) as AccountKind[];
