import Type, { type Static } from 'typebox';
import { CurrencyCode, Instant, nextCursor, OneOf, Text, TextUpTo } from './scalars.ts';

/** An amount of a currency times 10^8, whatever its own precision; exact beyond 2^53 as well (D-182, D-023). */
const fixed8 = (description: string) =>
  Type.Unsafe<bigint>({
    type: 'integer',
    minimum: 0,
    description: `${description} Times 10^8, whatever the currency’s own precision.`,
    examples: [999_000_000],
  });

const gdNo = Type.String({
  pattern: '^gd_[0-9A-Z]{26}$',
  description: 'Identifies the product.',
  examples: ['gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'],
});

const policy = OneOf(
  ['automatic', 'allowlist'],
  '`automatic`: any channel that serves the merchant; `allowlist`: those of `payment_methods`.',
);

const inputs = Text(
  'Something that buyers are asked for: `key=label=required`, and `=placeholder` behind it where there is one.',
);

const tiers = Text('From so many on, so much each: `min_qty=unit_price`, the price in major units.');

const members = {
  gd_no: gdNo,
  gd_name: Text('Its name.'),
  gd_description: Text('What it is.'),
  actual_price: fixed8('What one costs.'),
  retail_price: fixed8('What it costs elsewhere, for comparison.'),
  currency: CurrencyCode('The currency of the prices.'),
  currency_decimals: Type.Integer({
    minimum: 0,
    maximum: 8,
    description: 'Decimals of the currency, for display. They scale nothing.',
  }),
  in_stock: Type.Integer({ minimum: 0, description: 'How many are left.' }),
  buy_limit_num: Type.Integer({ minimum: 0, description: 'At most so many per order; 0: any number.' }),
  payment_policy: policy,
};

const productExample = {
  gd_no: 'gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  gd_name: 'Gift card',
  gd_description: 'For all books.',
  actual_price: 999_000_000,
  retail_price: 1_200_000_000,
  currency: 'USD',
  currency_decimals: 2,
  in_stock: 25,
  buy_limit_num: 0,
  payment_policy: 'automatic',
};

/** A product as programs read it (R-343 to R-347, D-190). */
export const Product = Type.Object(
  {
    ...members,
    payment_methods: Type.Optional(
      Type.Array(Type.String(), { description: 'With `allowlist`: the channels that may be used.' }),
    ),
    other_ipu_cnf: Type.Optional(Type.Array(inputs, { description: 'Absent where nothing is asked for.' })),
    wholesale_price_cnf: Type.Optional(
      Type.Array(tiers, {
        description: 'Absent where there are none. What an order comes to is always computed by the service.',
      }),
    ),
    buy_prompt: Type.Optional(Text('What to tell buyers. Absent where there is nothing.')),
  },
  {
    title: 'Product',
    examples: [
      {
        ...productExample,
        other_ipu_cnf: ['email=E-mail address=true'],
        wholesale_price_cnf: ['5=9.00', '20=8.50'],
      },
    ],
  },
);
export type Product = Static<typeof Product>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A page of products. */
export const ProductList = Type.Object(
  {
    list: Type.Array(Product, { description: 'Newest first.' }),
    total: count('How many match, on all pages.'),
    page: count('The page that this is, from 1.'),
    limit: count('How many a page has at most.'),
  },
  {
    title: 'ProductList',
    examples: [{ list: [productExample], total: 1, page: 1, limit: 20 }],
  },
);
export type ProductList = Static<typeof ProductList>;

/** A price as it is written: an integer, or its digits where those exceed what JSON writers hold exactly. */
const writtenPrice = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: '^[0-9]{1,30}$' }),
    ],
    { description: `${description} Times 10^8; an integer, or its digits as a text.` },
  );

const stockMost = 2_147_483_647;

const settings = {
  gd_description: Type.Optional(TextUpTo(10_000, 'What it is.')),
  keywords: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 2_000 }), Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 })],
      {
        description: 'Words that a search finds it by; buyers do not see them. A text, or a list of texts.',
      },
    ),
  ),
  retail_price: Type.Optional(
    writtenPrice('What it costs elsewhere. Left out of a new product: the same as `actual_price`.'),
  ),
  in_stock: Type.Optional(
    Type.Integer({ minimum: 0, maximum: stockMost, description: 'How many are left.' }),
  ),
  buy_limit_num: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: stockMost,
      description: 'At most so many per order; 0: any number.',
    }),
  ),
  payment_policy: Type.Optional(policy),
  payment_methods: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description: 'Channels of the platform or of the merchant; with `allowlist` only, and then not empty.',
    }),
  ),
  other_ipu_cnf: Type.Optional(Type.Array(inputs, { maxItems: 20, description: 'No key twice.' })),
  wholesale_price_cnf: Type.Optional(
    Type.Array(tiers, {
      maxItems: 50,
      description:
        'Thresholds rise and prices fall from entry to entry; all are below `actual_price`. A refusal names the entry.',
    }),
  ),
  buy_prompt: Type.Optional(TextUpTo(2_000, 'What to tell buyers.')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it is for sale.' })),
};

const name = Type.String({ minLength: 1, maxLength: 200, description: 'Its name.' });

const currency = CurrencyCode('An enabled currency.');

export const NewProduct = Type.Object(
  { gd_name: name, actual_price: writtenPrice('What one costs.'), currency, ...settings },
  {
    title: 'NewProduct',
    description: 'What is left out is empty, none, or zero; a product is for sale unless said otherwise.',
    examples: [
      {
        gd_name: 'Gift card',
        actual_price: 999_000_000,
        currency: 'USD',
        in_stock: 25,
        keywords: 'voucher present',
        wholesale_price_cnf: ['5=9.00', '20=8.50'],
      },
    ],
  },
);
export type NewProduct = Static<typeof NewProduct>;

export const ProductChange = Type.Object(
  {
    gd_name: Type.Optional(name),
    actual_price: Type.Optional(writtenPrice('What one costs.')),
    currency: Type.Optional(currency),
    ...settings,
  },
  {
    title: 'ProductChange',
    description: 'What is left out stays as it is. Orders keep what they were made with.',
    examples: [{ in_stock: 40, enabled: true }],
  },
);
export type ProductChange = Static<typeof ProductChange>;

/** A product as its owner and administrators see it. */
export const ManagedProduct = Type.Object(
  {
    ...members,
    keywords: Text('Words that a search finds it by.'),
    payment_methods: Type.Array(Type.String(), { description: 'Empty unless the policy is `allowlist`.' }),
    other_ipu_cnf: Type.Array(inputs),
    wholesale_price_cnf: Type.Array(tiers),
    buy_prompt: Text('What buyers are told.'),
    enabled: Type.Boolean({ description: 'Whether it is for sale.' }),
    created_at: Instant('When it was made.'),
    updated_at: Instant('When it was last changed, its stock aside.'),
  },
  {
    title: 'ManagedProduct',
    examples: [
      {
        ...productExample,
        keywords: 'voucher present',
        payment_methods: [],
        other_ipu_cnf: [],
        wholesale_price_cnf: ['5=9.00', '20=8.50'],
        buy_prompt: '',
        enabled: true,
        created_at: '2026-03-02T09:30:00.000Z',
        updated_at: '2026-03-02T09:30:00.000Z',
      },
    ],
  },
);
export type ManagedProduct = Static<typeof ManagedProduct>;

export const ManagedProductPage = Type.Object(
  {
    items: Type.Array(ManagedProduct, { description: 'Newest first, those that are not for sale included.' }),
    next_cursor: nextCursor,
  },
  { title: 'ManagedProductPage', examples: [{ items: [] }] },
);
export type ManagedProductPage = Static<typeof ManagedProductPage>;
