/** Bodies of the console's calls about merchants, the people who work for them, and their wallets. */
import Type, { type Static } from 'typebox';
import { nextCursor } from './console.ts';
import { WalletLine, walletLineExample } from './console-order.ts';
import { Instant, OneOf, PtkUnits, Text } from './scalars.ts';

/** What a person may be to a merchant, from everything to looking on. */
export const consoleRoles = ['owner', 'finance', 'developer', 'read-only'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export const Role = OneOf(
  consoleRoles,
  '`owner`: everything, people included. `finance`: what concerns orders and money. `developer`: clients and ' +
    'notifications. `read-only`: reads, and changes nothing.',
);

export const OwnMerchant = Type.Object(
  {
    merchant_no: Text('Identifies the merchant.'),
    name: Text('Its name.'),
    logo_url: Text('Its picture; empty where there is none.'),
    status: OneOf(['active', 'inactive'], 'An inactive merchant creates no orders.'),
    role: Role,
    created_at: Instant('When it was created.'),
  },
  { title: 'OwnMerchant' },
);
export type OwnMerchant = Static<typeof OwnMerchant>;

export const OwnMerchantList = Type.Object(
  { items: Type.Array(OwnMerchant, { description: 'By name.' }) },
  {
    title: 'OwnMerchantList',
    examples: [
      {
        items: [
          {
            merchant_no: 'mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            name: 'Bookshop',
            logo_url: '',
            status: 'active',
            role: 'owner',
            created_at: '2026-01-15T08:00:00.000Z',
          },
        ],
      },
    ],
  },
);
export type OwnMerchantList = Static<typeof OwnMerchantList>;

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

export const WalletStatement = Type.Object(
  { items: Type.Array(WalletLine, { description: 'Newest first.' }), next_cursor: nextCursor },
  { title: 'WalletStatement', examples: [{ items: [walletLineExample] }] },
);
export type WalletStatement = Static<typeof WalletStatement>;
