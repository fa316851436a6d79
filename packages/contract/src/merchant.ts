/** The merchant’s profile, and the settings that its owner decides. */
import Type, { type Static } from 'typebox';
import { OneOf, orNull, Text, TextUpTo } from './scalars.ts';

/** What a merchant shows of itself. */
export const MerchantProfile = Type.Object(
  {
    merchant_no: Text('Identifies the merchant.'),
    name: Text('What people call it.'),
    logo_url: Text('The address of a picture.'),
    short_description: Text('One line.'),
    description: Text('More of it.'),
    business_scope: Text('What it deals in.'),
    website_url: Text('Its own pages.'),
    contact: Text('How to reach it.'),
  },
  {
    title: 'MerchantProfile',
    description: 'Texts throughout: empty where the merchant has not said anything.',
    examples: [
      {
        merchant_no: 'mr_4RYZ8T6KQ2M5X9B3W7C1D0E8FG',
        name: 'Bookshop',
        logo_url: 'https://shop.example/logo.png',
        short_description: 'Books and gift cards',
        description: '',
        business_scope: 'Books',
        website_url: 'https://shop.example/',
        contact: 'help@shop.example',
      },
    ],
  },
);
export type MerchantProfile = Static<typeof MerchantProfile>;

const url = Type.String({ maxLength: 2_048, description: 'An absolute http or https address, or nothing.' });

const owned = {
  guest_purchase_allowed: Type.Boolean({
    description: 'Whether buyers may pay without signing in, where the channel does not demand it.',
  }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'What people call the merchant.' }),
  logo_url: url,
  short_description: TextUpTo(500, 'One line.'),
  description: TextUpTo(10_000, 'More of it.'),
  business_scope: TextUpTo(500, 'What it deals in.'),
  website_url: url,
  contact: TextUpTo(500, 'How to reach it.'),
};

const ownedExample = {
  guest_purchase_allowed: true,
  name: 'Bookshop',
  logo_url: '',
  short_description: 'Books and gift cards',
  description: '',
  business_scope: 'Books',
  website_url: 'https://shop.example/',
  contact: 'help@shop.example',
};

/** Why there is no picture of a merchant to show, or none that is new. */
export const logoProblems = [
  'not_https',
  'private_target',
  'dns_failed',
  'no_connection',
  'timeout',
  'http_status',
  'too_large',
  'not_a_picture',
  'animated',
] as const;
export type LogoProblem = (typeof logoProblems)[number];

/** What the owner of a merchant decides about it, and what became of it. */
export const MerchantSettings = Type.Object(
  {
    ...owned,
    logo_problem: orNull(
      OneOf(
        logoProblems,
        'Why the picture of `logo_url` could not be had when it was last asked for. Null where it could, and before.',
      ),
    ),
  },
  { title: 'MerchantSettings', examples: [{ ...ownedExample, logo_problem: null }] },
);
export type MerchantSettings = Static<typeof MerchantSettings>;

export const MerchantSettingsChange = Type.Partial(Type.Object(owned), {
  title: 'MerchantSettingsChange',
  description: 'What is left out stays as it is.',
  examples: [{ guest_purchase_allowed: false }],
});
export type MerchantSettingsChange = Static<typeof MerchantSettingsChange>;
