/** Payment channels, their fees and their accounts at the card provider. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, Digits, Id, Minor, Name, OrNull, Stamp, Url } from './scalars.ts';

const FeeRule = Type.Object(
  {
    fixed_minor: Minor,
    percent_ppm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    cap_minor: Type.Optional(Type.Union([Minor, Type.Null()])),
  },
  { title: 'NewFeeRule' },
);

const Fees = Type.Array(
  Type.Object({ currency: CurrencyCode, buyer: FeeRule, merchant: FeeRule }, { title: 'NewFees' }),
  {
    maxItems: 100,
  },
);

/** Printable and without spaces, because it is sent in a header. */
const ProviderSecret = Type.Union([Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }), Type.Null()]);

/** The methods of the card provider that a channel can choose. Wallets of phones pay with a card. */
export const paymentMethodTypes = [
  'card',
  'apple_pay',
  'google_pay',
  'link',
  'paypal',
  'amazon_pay',
  'revolut_pay',
  'cashapp',
  'klarna',
  'alipay',
  'wechat_pay',
  'grabpay',
  'paynow',
  'promptpay',
  'ideal',
  'bancontact',
  'eps',
  'p24',
  'blik',
  'twint',
  'mobilepay',
  'sepa_debit',
  'us_bank_account',
  'bacs_debit',
  'au_becs_debit',
] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

const MethodTypes = Type.Array(Type.Enum(paymentMethodTypes), {
  maxItems: paymentMethodTypes.length,
  uniqueItems: true,
});

/** The account at the card provider. Keys are write-only; null removes a key. */
const ProviderAccount = Type.Object({
  api_base: Type.Optional(Url),
  secret_key: Type.Optional(ProviderSecret),
  webhook_secret: Type.Optional(ProviderSecret),
  payment_method_types: Type.Optional(MethodTypes),
});

/** A name for each language of the buyer’s pages (D-264). */
const namesOf = (title: string, limits: { minLength?: number; maxLength?: number } = {}) => {
  const nameIn = (language: string) =>
    Type.Optional(Type.String({ ...limits, description: `The name in ${language}.` }));
  return Type.Object(
    {
      en: nameIn('English'),
      de: nameIn('German'),
      es: nameIn('Spanish'),
      fr: nameIn('French'),
      'zh-Hans': nameIn('Simplified Chinese'),
      ja: nameIn('Japanese'),
      ar: nameIn('Arabic'),
    },
    { additionalProperties: false, title },
  );
};

const changeable = {
  test_mode: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  login_required: Type.Optional(Type.Boolean()),
  supported_currencies: Type.Optional(Type.Array(CurrencyCode, { maxItems: 100 })),
  names: Type.Optional(namesOf('NewChannelNames', { minLength: 1, maxLength: 200 })),
  config: Type.Optional(ProviderAccount),
};

export const NewChannel = Type.Object({
  owner: Type.Enum(['platform', 'merchant']),
  merchant_no: Type.Optional(Type.Union([Id, Type.Null()])),
  provider: Type.Enum(['ptk', 'cardprov']),
  name: Name,
  currency: CurrencyCode,
  fees: Fees,
  ...changeable,
});
export type NewChannel = Static<typeof NewChannel>;

/** Omitted members stay unchanged; fees, names and methods replace all that there were. */
export const ChannelChange = Type.Object({
  owner: Type.Optional(Type.Enum(['platform', 'merchant'])),
  merchant_no: Type.Optional(Type.Union([Id, Type.Null()])),
  provider: Type.Optional(Type.Enum(['ptk', 'cardprov'])),
  name: Type.Optional(Name),
  currency: Type.Optional(CurrencyCode),
  fees: Type.Optional(Fees),
  ...changeable,
});
export type ChannelChange = Static<typeof ChannelChange>;

/** Replaces both lists. */
export const DebugGrants = Type.Object({
  merchants: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
  users: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
});
export type DebugGrants = Static<typeof DebugGrants>;

export const SecretRotation = Type.Object({
  webhook_secret: Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
});
export type SecretRotation = Static<typeof SecretRotation>;

const FeeRuleAnswer = Type.Object(
  {
    fixed_minor: Digits,
    percent_ppm: Type.Integer(),
    cap_minor: OrNull(Digits),
  },
  { title: 'FeeRule' },
);

export const ChannelAnswer = Type.Object({
  payment_no: Type.String(),
  owner: Type.Enum(['platform', 'merchant']),
  merchant_no: OrNull(Type.String()),
  provider: Type.Enum(['ptk', 'cardprov']),
  name: Type.String(),
  names: namesOf('ChannelNames'),
  currency: Type.String(),
  test_mode: Type.Boolean(),
  enabled: Type.Boolean(),
  login_required: Type.Boolean(),
  supported_currencies: Type.Array(Type.String()),
  fees: Type.Array(
    Type.Object(
      { currency: Type.String(), buyer: FeeRuleAnswer, merchant: FeeRuleAnswer },
      { title: 'Fees' },
    ),
  ),
  debug_grants: Type.Object({ merchants: Type.Array(Type.String()), users: Type.Array(Type.String()) }),
  /** The provider account without its secrets. */
  config: Type.Optional(
    Type.Object({
      api_base: Type.String(),
      payment_method_types: Type.Array(Type.Enum(paymentMethodTypes)),
      live_key: Type.Boolean(),
      secret_key_set: Type.Boolean(),
      webhook_secret_set: Type.Boolean(),
      previous_webhook_secret_valid_until: OrNull(Stamp),
    }),
  ),
  /** The address for the provider’s webhooks. Card channels only, and only for administrators (D-1411). */
  webhook_url: Type.Optional(Type.String()),
  created_at: Stamp,
});
