/** The merchant’s profile, and the settings that its owner decides. */
import Type, { type Static } from 'typebox';
import { OneOf, orNull, Text, TextUpTo } from './scalars.ts';

/** The public profile of a merchant. */
export const MerchantProfile = Type.Object(
  {
    merchant_no: Text('Identifies the merchant.'),
    name: Text('The merchant’s name.'),
    logo_url: Text('The address of the logo.'),
    short_description: Text('A short description in one line.'),
    description: Text('The full description.'),
    business_scope: Text('The business scope.'),
    website_url: Text('The merchant’s website.'),
    contact: Text('How to contact the merchant.'),
  },
  {
    title: 'MerchantProfile',
    description: 'All members are texts. A member is empty if the merchant has not set it.',
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

const url = Type.String({
  maxLength: 2_048,
  description: 'An absolute http or https address, or an empty text.',
});

const owned = {
  guest_purchase_allowed: Type.Boolean({
    description: 'Whether buyers can pay without signing in, if the channel allows it.',
  }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'The merchant’s name.' }),
  logo_url: url,
  short_description: TextUpTo(500, 'A short description in one line.'),
  description: TextUpTo(10_000, 'The full description.'),
  business_scope: TextUpTo(500, 'The business scope.'),
  website_url: url,
  contact: TextUpTo(500, 'How to contact the merchant.'),
  embed_origins: Type.Array(Type.String({ maxLength: 2_048 }), {
    maxItems: 20,
    description:
      'The origins of the pages that may show the checkout in a frame: `https://host` or `https://host:port`, without a path ' +
      'or a wildcard. They are stored in the form in which browsers compare them.',
  }),
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
  embed_origins: ['https://shop.example'],
};

/** Why the last download of a merchant’s logo failed. */
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

/** The settings of a merchant, and the result of the last logo download. */
export const MerchantSettings = Type.Object(
  {
    ...owned,
    logo_problem: orNull(
      OneOf(
        logoProblems,
        'Why the last download of `logo_url` failed. Null if it succeeded or was not tried yet.',
      ),
    ),
  },
  { title: 'MerchantSettings', examples: [{ ...ownedExample, logo_problem: null }] },
);
export type MerchantSettings = Static<typeof MerchantSettings>;

export const MerchantSettingsChange = Type.Partial(Type.Object(owned), {
  title: 'MerchantSettingsChange',
  description: 'Omitted members stay unchanged.',
  examples: [{ guest_purchase_allowed: false }],
});
export type MerchantSettingsChange = Static<typeof MerchantSettingsChange>;
