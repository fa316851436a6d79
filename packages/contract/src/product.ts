/** Products, as the catalog shows them and as owners and administrators write them. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, Instant, nextCursor, OneOf, Text, TextUpTo } from './scalars.ts';

/** An amount times 10^8, for every currency. It is exact beyond 2^53 too (D-182, D-023). */
const fixed8 = (description: string) =>
  Type.Unsafe<bigint>({
    type: 'integer',
    minimum: 0,
    description: `${description} Times 10^8, for every currency.`,
    examples: [999_000_000],
  });

const gdNo = Type.String({
  pattern: '^gd_[0-9A-Z]{26}$',
  description: 'Identifies the product.',
  examples: ['gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'],
});

const policy = OneOf(
  ['automatic', 'allowlist'],
  '`automatic`: all channels of the merchant; `allowlist`: only the channels in `payment_methods`.',
);

const inputs = Text(
  'An input that buyers must or can give: `key=label=required`, optionally followed by `=placeholder`.',
);

const tiers = Text('A wholesale price: `min_qty=unit_price`, the price in major units.');

const members = {
  gd_no: gdNo,
  gd_name: Text('The product’s name.'),
  gd_description: Text('The product’s description.'),
  actual_price: fixed8('The price of one unit.'),
  retail_price: fixed8('The regular price of one unit, for comparison.'),
  currency: CurrencyCode('The currency of the prices.'),
  currency_decimals: Type.Integer({
    minimum: 0,
    maximum: 8,
    description: 'Decimals of the currency, for display. They do not scale the prices.',
  }),
  in_stock: Type.Integer({ minimum: 0, description: 'The quantity in stock.' }),
  buy_limit_num: Type.Integer({ minimum: 0, description: 'Maximum quantity per order; 0 means no limit.' }),
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

/** A product as the catalog API returns it, with exactly these members (R-343, R-344, R-346, R-347, D-190). */
export const Product = Type.Object(
  {
    ...members,
    payment_methods: Type.Optional(
      Type.Array(Type.String(), { description: 'With `allowlist`: the allowed channels.' }),
    ),
    other_ipu_cnf: Type.Optional(
      Type.Array(inputs, { description: 'Absent if the product asks for no input.' }),
    ),
    wholesale_price_cnf: Type.Optional(
      Type.Array(tiers, {
        description: 'Absent if there are none. The service always computes the total of an order.',
      }),
    ),
    buy_prompt: Type.Optional(Text('A message to buyers. Absent if there is none.')),
  },
  {
    title: 'Product',
    examples: [
      {
        ...productExample,
        other_ipu_cnf: ['email=Email address=true'],
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
    total: count('Number of matching products on all pages.'),
    page: count('The number of this page, from 1.'),
    limit: count('Maximum number of products per page.'),
  },
  {
    title: 'ProductList',
    examples: [{ list: [productExample], total: 1, page: 1, limit: 20 }],
  },
);
export type ProductList = Static<typeof ProductList>;

/**
 * A price in a request: an integer, or its digits as a string if it is too large for an exact JSON number.
 */
const writtenPrice = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: '^[0-9]{1,30}$' }),
    ],
    { description: `${description} Times 10^8; an integer, or its digits as a string.` },
  );

const stockMost = 2_147_483_647;

const settings = {
  gd_description: Type.Optional(TextUpTo(10_000, 'The product’s description.')),
  keywords: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 2_000 }), Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 })],
      {
        description: 'Search words, as a text or a list of texts. Buyers do not see them.',
      },
    ),
  ),
  retail_price: Type.Optional(
    writtenPrice('The regular price of one unit. If a new product omits it, it is equal to `actual_price`.'),
  ),
  in_stock: Type.Optional(
    Type.Integer({ minimum: 0, maximum: stockMost, description: 'The quantity in stock.' }),
  ),
  buy_limit_num: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: stockMost,
      description: 'Maximum quantity per order; 0 means no limit.',
    }),
  ),
  payment_policy: Type.Optional(policy),
  payment_methods: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description:
        'Channels of the platform or of the merchant. Required with `allowlist`, and not allowed otherwise.',
    }),
  ),
  other_ipu_cnf: Type.Optional(
    Type.Array(inputs, {
      maxItems: 20,
      description: 'The inputs that the product asks for. Each key can occur only once.',
    }),
  ),
  wholesale_price_cnf: Type.Optional(
    Type.Array(tiers, {
      maxItems: 50,
      description:
        'Quantities increase and prices decrease from entry to entry; all prices are below `actual_price`. An error ' +
        'names the wrong entry.',
    }),
  ),
  buy_prompt: Type.Optional(TextUpTo(2_000, 'A message to buyers.')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the product is for sale.' })),
};

const name = Type.String({ minLength: 1, maxLength: 200, description: 'The product’s name.' });

const currency = CurrencyCode('An enabled currency.');

export const NewProduct = Type.Object(
  { gd_name: name, actual_price: writtenPrice('The price of one unit.'), currency, ...settings },
  {
    title: 'NewProduct',
    description: 'Omitted members are empty or zero. A product is for sale unless `enabled` is false.',
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
    actual_price: Type.Optional(writtenPrice('The price of one unit.')),
    currency: Type.Optional(currency),
    ...settings,
  },
  {
    title: 'ProductChange',
    description: 'Omitted members stay unchanged. Existing orders do not change.',
    examples: [{ in_stock: 40, enabled: true }],
  },
);
export type ProductChange = Static<typeof ProductChange>;

/** A product as its owner and administrators see it. */
export const ManagedProduct = Type.Object(
  {
    ...members,
    keywords: Text('Search words.'),
    payment_methods: Type.Array(Type.String(), {
      description: 'The allowed channels; empty unless the policy is `allowlist`.',
    }),
    other_ipu_cnf: Type.Array(inputs),
    wholesale_price_cnf: Type.Array(tiers),
    buy_prompt: Text('The message to buyers.'),
    enabled: Type.Boolean({ description: 'Whether the product is for sale.' }),
    created_at: Instant('Time of creation.'),
    updated_at: Instant('Time of the last change, except changes of the stock.'),
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
    items: Type.Array(ManagedProduct, {
      description: 'Newest first, including products that are not for sale.',
    }),
    next_cursor: nextCursor,
  },
  { title: 'ManagedProductPage', examples: [{ items: [] }] },
);
export type ManagedProductPage = Static<typeof ManagedProductPage>;
