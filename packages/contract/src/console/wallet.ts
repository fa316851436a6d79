/** Bodies of the console’s calls about the merchant’s wallet. */
import Type, { type Static } from 'typebox';
import { Instant, nextCursor, OneOf, orNull, PtkUnits, Text } from '../scalars.ts';

export const ConsoleWallet = Type.Object(
  {
    available_ptk: PtkUnits('What can be used.'),
    held_ptk: PtkUnits('Proceeds under hold.'),
    frozen_ptk: PtkUnits('Proceeds that complaints have stopped.'),
    guarantee_ptk: PtkUnits('The deposit against losses.'),
    fee_reserved_ptk: PtkUnits('Set aside for fees of payments under way on own channels.'),
    credit_limit_ptk: PtkUnits('How much credit there is for such fees.'),
    credit_drawn_ptk: PtkUnits('How much of it is used.'),
    recovery_ptk: PtkUnits('What is owed to the platform.'),
    withdrawal_pending_ptk: PtkUnits('On the way to the bank.'),
  },
  {
    title: 'ConsoleWallet',
    description: 'Amounts in PTK: whole numbers of the eighth decimal.',
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

/** One movement on the merchant’s own accounts. What stands across from it in the platform’s books is not shown. */
export const WalletLine = Type.Object(
  {
    line_id: Text('Identifies the line.'),
    at: Instant('When it was booked.'),
    posting: Text('What kind of entry it belongs to, as the documentation of the books names it.'),
    about: OneOf(
      ['order', 'withdrawal', 'reference'],
      'What `subject` names: an order, a withdrawal, or the reference of whoever moved it.',
    ),
    subject: Text('What it is about.'),
    from: orNull(WalletAccount),
    to: orNull(WalletAccount),
    amount_ptk: PtkUnits('How much moved, in PTK.'),
    why: Text('What happened, in words.'),
    what: Text('What this line of it is, in words.'),
    test_mode: Type.Boolean({ description: 'Whether it came of a test.' }),
  },
  {
    title: 'WalletLine',
    description:
      'PTK moved from one account to another. `from` or `to` is null where the other side is not the merchant’s. ' +
      '`credit_drawn` and `recovery` are debts: they grow where money comes from them.',
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
  why: 'The buyer has paid with PTK.',
  what: 'Net proceeds, under hold',
  test_mode: false,
};

export const WalletStatement = Type.Object(
  { items: Type.Array(WalletLine, { description: 'Newest first.' }), next_cursor: nextCursor },
  { title: 'WalletStatement', examples: [{ items: [walletLineExample] }] },
);
export type WalletStatement = Static<typeof WalletStatement>;
