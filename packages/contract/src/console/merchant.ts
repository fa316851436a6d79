import Type, { type Static } from 'typebox';
import { Instant, OneOf, orNull, Text } from '../scalars.ts';

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
