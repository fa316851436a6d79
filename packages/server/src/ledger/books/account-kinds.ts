import { type LedgerKey, ledgerTexts } from '@paydesk/checkout/ledger-texts';

/** The kind of an account: its name without the order, channel or currency. docs/ledger.md lists all kinds. */
export type AccountKind = keyof typeof accountKinds;

/**
 * The side on which an account of each kind grows. The accounts between two currencies grow on both sides; their credits
 * count here.
 */
const accountKinds = {
  user: 'credit',
  'm:available': 'credit',
  'm:held': 'credit',
  'm:frozen': 'credit',
  'm:guarantee': 'credit',
  'm:fee_reserved': 'credit',
  'm:withdrawal_pending': 'credit',
  'm:credit_drawn': 'debit',
  'm:recovery': 'debit',
  'inc:merchant_fee': 'credit',
  'inc:buyer_fee': 'credit',
  prov: 'debit',
  bank: 'debit',
  fx: 'credit',
  susp: 'credit',
  'exp:provider_cost': 'debit',
  'exp:loss': 'debit',
  issue: 'credit',
} satisfies Partial<Record<LedgerKey, 'credit' | 'debit'>>;

/** The kind of an account by its name (`m:held:mp_…`, `prov:ch_…:USD`); null if the name is unknown. */
export function kindOfAccount(name: string): AccountKind | null {
  const [first = '', second = ''] = name.split(':', 2);
  for (const kind of [`${first}:${second}`, first]) if (isKind(kind)) return kind;
  return null;
}

const isKind = (text: string): text is AccountKind => Object.hasOwn(accountKinds, text);

/** What an account holds, in English; the name itself if it is unknown. */
export function aboutAccount(name: string): string {
  const kind = kindOfAccount(name);
  return kind === null ? name : ledgerTexts.en[kind];
}

/** The side on which an account grows; `credit` if the name is unknown. */
export function growthOf(name: string): 'credit' | 'debit' {
  const kind = kindOfAccount(name);
  return kind === null ? 'credit' : accountKinds[kind];
}

export const accountKindNames = Object.keys(accountKinds) as AccountKind[];
