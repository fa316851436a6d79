/** Bodies of the console’s calls about the merchant’s wallet. */
import Type, { type Static } from 'typebox';
import {
  CurrencyCode,
  DecimalText,
  Instant,
  nextCursor,
  OneOf,
  orNull,
  PtkUnits,
  SignedPtkUnits,
  Text,
} from '../scalars.ts';

export const ConsoleWallet = Type.Object(
  {
    available_ptk: PtkUnits('The available balance.'),
    held_ptk: PtkUnits('Proceeds under hold.'),
    frozen_ptk: PtkUnits('Proceeds that complaints have frozen.'),
    guarantee_ptk: PtkUnits('The deposit against losses.'),
    fee_reserved_ptk: PtkUnits(
      'The amount reserved for fees of payments that are in progress on your own channels.',
    ),
    credit_limit_ptk: PtkUnits('The credit limit for these fees.'),
    credit_drawn_ptk: PtkUnits('The credit that is used.'),
    recovery_ptk: PtkUnits('The debt to the platform.'),
    withdrawal_pending_ptk: PtkUnits('Withdrawals in progress.'),
  },
  {
    title: 'ConsoleWallet',
    description: 'Amounts in PTK, as whole numbers of the eighth decimal.',
    examples: [
      {
        available_ptk: '125000000000',
        held_ptk: '9740000000',
        frozen_ptk: '0',
        guarantee_ptk: '50000000000',
        fee_reserved_ptk: '0',
        credit_limit_ptk: '10000000000',
        credit_drawn_ptk: '0',
        recovery_ptk: '0',
        withdrawal_pending_ptk: '0',
      },
    ],
  },
);
export type ConsoleWallet = Static<typeof ConsoleWallet>;

export const ConsoleCurrencies = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        currency: CurrencyCode('The currency.'),
        decimals: Type.Integer({ minimum: 0, description: 'Its number of decimals.' }),
        ptk_price: orNull(DecimalText('Today’s price of 1 PTK in it; null if there is none.')),
      }),
      { description: 'The currencies that orders can be made in, by code.' },
    ),
  },
  {
    title: 'ConsoleCurrencies',
    examples: [{ items: [{ currency: 'USD', decimals: 2, ptk_price: '0.100000000000' }] }],
  },
);
export type ConsoleCurrencies = Static<typeof ConsoleCurrencies>;

export const StatementMonths = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        month: Text('The month, such as `2026-10`, in UTC.'),
        complete: Type.Boolean({
          description: 'Whether the month has ended, so that its statement is final.',
        }),
      }),
      { description: 'Newest first, at most ten years.' },
    ),
  },
  { title: 'StatementMonths', examples: [{ items: [{ month: '2026-10', complete: true }] }] },
);
export type StatementMonths = Static<typeof StatementMonths>;

export const walletAccounts = [
  'available',
  'held',
  'frozen',
  'guarantee',
  'fee_reserved',
  'withdrawal_pending',
  'credit_drawn',
  'recovery',
] as const;

const WalletAccount = OneOf(walletAccounts, 'One of the merchant’s accounts.');

/** One movement on the merchant’s own accounts. The platform’s accounts are not shown. */
export const WalletLine = Type.Object(
  {
    line_id: Text('Identifies the line.'),
    at: Instant('Time of the booking.'),
    posting: Text('The kind of posting, as named in the documentation of the books.'),
    about: OneOf(
      ['order', 'withdrawal', 'reference'],
      'The kind of `subject`: an order, a withdrawal, or the reference of an operation.',
    ),
    subject: Text('The order, withdrawal or reference that the line is about.'),
    from: orNull(WalletAccount),
    to: orNull(WalletAccount),
    amount_ptk: PtkUnits('The amount in PTK, without a sign.'),
    change_ptk: SignedPtkUnits(
      'By how much the wallet changes; 0 if PTK moves between your own accounts. On the statement of one account, by how much that account changes.',
    ),
    why: Text('The event in words, in English.'),
    what: Text('The purpose of this line in words, in English.'),
    what_code: orNull(
      Text('The code of `what`, by which programs and other languages know it; null for an unknown purpose.'),
    ),
    test_mode: Type.Boolean({ description: 'Whether the line belongs to a test.' }),
  },
  {
    title: 'WalletLine',
    description:
      'A movement of PTK from one account to another. `from` or `to` is null if that account is not the merchant’s. ' +
      '`credit_drawn` and `recovery` are debts: they increase when PTK moves from them, and count as negative.',
  },
);
export type WalletLine = Static<typeof WalletLine>;

export const walletLineExample = {
  line_id: 'P2.mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF.3',
  at: '2026-03-02T09:32:10.482Z',
  posting: 'P2',
  about: 'order',
  subject: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  from: null,
  to: 'held',
  amount_ptk: '9740000000',
  change_ptk: '9740000000',
  why: 'The buyer has paid with PTK.',
  what: 'Net proceeds, under hold',
  what_code: 'net_held',
  test_mode: false,
};

export const StatementLine = Type.Object(
  {
    ...WalletLine.properties,
    balance_ptk: SignedPtkUnits('The balance after the line: of the wallet, or of the one account.'),
  },
  { title: 'StatementLine' },
);
export type StatementLine = Static<typeof StatementLine>;

/** What the net of a statement is made of. */
export const statementParts = ['orders', 'fees', 'returns', 'deposits', 'payouts', 'other', 'tests'] as const;

export const WalletStatement = Type.Object(
  {
    items: Type.Array(StatementLine, { description: 'Newest first.' }),
    next_cursor: nextCursor,
    summary: Type.Optional(
      Type.Object(
        {
          opening_ptk: SignedPtkUnits('The balance before the first line of the span of time.'),
          net_ptk: SignedPtkUnits('The sum of the changes of all lines, on this page and the next.'),
          closing_ptk: SignedPtkUnits('The balance after the last line of the span of time.'),
          parts: Type.Optional(
            Type.Array(
              Type.Object({
                part: OneOf(
                  statementParts,
                  'Net proceeds of `orders`, `fees` of your own channels, `returns` by refunds and disputes, `deposits` and top-ups, `payouts`, `other`, or all that belongs to `tests`, which no other part counts.',
                ),
                change_ptk: SignedPtkUnits('By how much this changed the wallet.'),
              }),
              {
                description:
                  'What the net is made of, without zeros. With `from` and without `account` only.',
              },
            ),
          ),
        },
        { description: 'What the lines add up to. Only the first page has it.' },
      ),
    ),
  },
  {
    title: 'WalletStatement',
    examples: [
      {
        items: [{ ...walletLineExample, balance_ptk: '134740000000' }],
        summary: { opening_ptk: '125000000000', net_ptk: '9740000000', closing_ptk: '134740000000' },
      },
    ],
  },
);
export type WalletStatement = Static<typeof WalletStatement>;
