/** The books: accounts, transfers, and the result of a verification. */
import Type, { type Static } from 'typebox';
import { OrNull, SignedDigits, Stamp } from './scalars.ts';

const finding = {
  kind: Type.String(),
  /** A merchant’s number or `platform`; null for a person’s wallet. */
  book: OrNull(Type.String()),
  subject: Type.String(),
  words: Type.String(),
};

export const VerificationAnswer = Type.Object({
  ok: Type.Boolean(),
  entries: Type.Integer(),
  /** Everything that is wrong, in words. Includes the two lists below. */
  findings: Type.Array(Type.Object(finding)),
  imbalances: Type.Array(
    Type.Object({
      book: Type.String(),
      subject: Type.String(),
      posting: Type.String(),
      currency: Type.String(),
      legs: Type.Integer(),
    }),
  ),
  drift: Type.Array(
    Type.Object({
      owner: Type.String(),
      account: Type.String(),
      currency: Type.String(),
      /** Minor units of the currency. */
      stored_minor: Type.String(),
      rebuilt_minor: Type.String(),
      /** The same values, if the currency is PTK. */
      stored_ptk: Type.Optional(Type.String()),
      rebuilt_ptk: Type.Optional(Type.String()),
    }),
  ),
});

/** The result of a check that was kept. */
export const KeptVerification = Type.Object(
  {
    verified_at: Stamp,
    verified_by: Type.String({ description: '`worker`, `command`, `key`, or `user:` followed by an id.' }),
    kind: Type.Enum(['full', 'incremental'], {
      description: '`incremental`: what was new since the check before it, and what that touched.',
    }),
    ok: Type.Boolean(),
    entries: Type.Integer({ minimum: 0 }),
    findings: Type.Integer({ minimum: 0 }),
    duration_ms: Type.Integer({ minimum: 0 }),
  },
  { title: 'KeptVerification' },
);

/** The checks of the books that were kept, and the findings that stand. */
export const VerificationsAnswer = Type.Object({
  checks: Type.Array(KeptVerification, { description: 'The latest 20, newest first.' }),
  findings: Type.Array(Type.Object({ ...finding, found_at: Stamp }), {
    description:
      'The findings that stand: the last check that looked at their subject found them. `found_at` is when a check found ' +
      'it first.',
  }),
});

/** An account of a book with its balance, on the side on which the account increases. */
export const LedgerAccount = Type.Object({
  account: Type.String(),
  about: Type.String(),
  currency: Type.String(),
  /** Whether the balance is stored and cannot fall below zero. Other balances are sums of transfers. */
  guarded: Type.Boolean(),
  balance: Type.String({ description: 'A decimal string; negative if more has gone out than come in.' }),
  balance_minor: SignedDigits,
});
export type LedgerAccount = Static<typeof LedgerAccount>;

const ptkAmount = (description: string) => Type.String({ description: `${description} In PTK.` });

/** What the platform owes to merchants and to people, and what merchants owe. */
export const OwedAnswer = Type.Object({
  /** Time of the figures: the last minute, or the last hour if they take long to read. */
  as_of: Stamp,
  to_merchants: ptkAmount('Balances of all merchants, held amounts and requested payouts included.'),
  by_merchants: ptkAmount('Drawn credit and losses that merchants owe.'),
  to_people: ptkAmount('Balances of all people with a wallet.'),
  accounts: Type.Array(
    Type.Object(
      { account: Type.String(), about: Type.String(), amount: Type.String() },
      { title: 'OwedAccount' },
    ),
    { description: 'The accounts of all merchants together; those without a balance are omitted.' },
  ),
});
export type OwedAnswer = Static<typeof OwedAnswer>;

/** A transfer in a book. */
export const LedgerEntry = Type.Object({
  at: Stamp,
  subject: Type.String({ description: 'An order, a withdrawal, or the `kind:reference` of an operation.' }),
  posting: Type.String(),
  case_key: Type.String(),
  leg: Type.Integer(),
  debit: Type.String(),
  credit: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  amount_minor: SignedDigits,
  test_mode: Type.Boolean(),
  why: Type.String(),
  what: Type.String(),
  what_code: OrNull(Type.String()),
  from: Type.String(),
  to: Type.String(),
});
export type LedgerEntry = Static<typeof LedgerEntry>;
