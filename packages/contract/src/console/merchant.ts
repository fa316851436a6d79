/** Bodies of the console's calls about merchants, the people who work for them, and their wallets. */
import Type, { type Static } from 'typebox';
import { nextCursor } from './notification.ts';
import { WalletLine, walletLineExample } from './order.ts';
import { Instant, OneOf, orNull, PtkUnits, Text } from '../scalars.ts';

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

const email = Type.String({ minLength: 3, maxLength: 254, description: 'The address of the account.' });

export const NewMember = Type.Object(
  { email, role: Role },
  { title: 'NewMember', examples: [{ email: 'fin@shop.example', role: 'finance' }] },
);
export type NewMember = Static<typeof NewMember>;

export const MemberChange = Type.Object(
  { role: Role },
  { title: 'MemberChange', examples: [{ role: 'read-only' }] },
);
export type MemberChange = Static<typeof MemberChange>;

export const MerchantMember = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('The name of the account.'),
    email,
    role: Role,
    holder: Type.Boolean({
      description: 'Whether this person holds the merchant: always an owner, and never removed here.',
    }),
    added_at: orNull(Instant('Since when; null for the holder.')),
  },
  { title: 'MerchantMember' },
);
export type MerchantMember = Static<typeof MerchantMember>;

export const MerchantMemberList = Type.Object(
  { items: Type.Array(MerchantMember, { description: 'The holder first.' }) },
  {
    title: 'MerchantMemberList',
    examples: [
      {
        items: [
          {
            user_id: '0190c1a0-0000-7000-8000-00000000000c',
            name: 'Olga Owner',
            email: 'olga@shop.example',
            role: 'owner',
            holder: true,
            added_at: null,
          },
        ],
      },
    ],
  },
);
export type MerchantMemberList = Static<typeof MerchantMemberList>;

export const MemberRemoved = Type.Object(
  { removed: Type.Literal(true, { description: 'Always true.' }) },
  { title: 'MemberRemoved', examples: [{ removed: true }] },
);
export type MemberRemoved = Static<typeof MemberRemoved>;
