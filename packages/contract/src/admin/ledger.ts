/** The books: accounts, transfers, and the result of a verification. */
import Type, { type Static } from 'typebox';
import { OrNull, SignedDigits, Stamp } from './scalars.ts';

export const VerificationAnswer = Type.Object({
  ok: Type.Boolean(),
  entries: Type.Integer(),
  /** All that is wrong, the two lists below included, each in words. */
  findings: Type.Array(
    Type.Object({
      kind: Type.String(),
      /** A merchant's number or `platform`; null for a person's wallet. */
      book: OrNull(Type.String()),
      subject: Type.String(),
      words: Type.String(),
    }),
  ),
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
      /** The same, where the currency is PTK. */
      stored_ptk: Type.Optional(Type.String()),
      rebuilt_ptk: Type.Optional(Type.String()),
    }),
  ),
});

/** An account of one book with what it holds, on the side on which it grows. */
export const LedgerAccount = Type.Object({
  account: Type.String(),
  about: Type.String(),
  currency: Type.String(),
  /** Whether its balance is stored and never below zero; others are summed from their transfers. */
  guarded: Type.Boolean(),
  balance: Type.String({ description: 'A decimal text; negative where less has come in than gone out.' }),
  balance_minor: SignedDigits,
});
export type LedgerAccount = Static<typeof LedgerAccount>;

/** A transfer of one book. */
export const LedgerEntry = Type.Object({
  at: Stamp,
  subject: Type.String({ description: 'An order, a withdrawal, or `kind:reference` of an operation.' }),
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
  from: Type.String(),
  to: Type.String(),
});
export type LedgerEntry = Static<typeof LedgerEntry>;
