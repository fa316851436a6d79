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

/** The account at the card provider. Keys are write-only; null removes a key. */
const ProviderAccount = Type.Object({
  api_base: Type.Optional(Url),
  secret_key: Type.Optional(ProviderSecret),
  webhook_secret: Type.Optional(ProviderSecret),
});

const changeable = {
  test_mode: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  login_required: Type.Optional(Type.Boolean()),
  supported_currencies: Type.Optional(Type.Array(CurrencyCode, { maxItems: 100 })),
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

/** Omitted members stay unchanged; a list of fees replaces the whole list. */
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
      live_key: Type.Boolean(),
      secret_key_set: Type.Boolean(),
      webhook_secret_set: Type.Boolean(),
      previous_webhook_secret_valid_until: OrNull(Stamp),
    }),
  ),
  /** The address for the provider’s webhooks. Card channels only. */
  webhook_url: Type.Optional(Type.String()),
  created_at: Stamp,
});
