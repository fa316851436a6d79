/** Currencies and their rates, as administrators set and read them. */
import Type, { type Static } from 'typebox';
import { Instant, Minor, OrNull, Stamp } from './scalars.ts';

export const CurrencySettings = Type.Object({
  decimals: Type.Integer({ minimum: 0, maximum: 8 }),
  enabled: Type.Boolean(),
  min_minor: Type.Optional(Minor),
  max_minor: Type.Optional(Minor),
});
export type CurrencySettings = Static<typeof CurrencySettings>;

export const RateSettings = Type.Object({
  /** The price of 1 PTK in the currency: a decimal string with at most 12 places (D-057). */
  ptk_price: Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,12})?$' }),
  valid_until: Type.Optional(Type.Union([Instant, Type.Null()])),
});
export type RateSettings = Static<typeof RateSettings>;

export const CurrencyAnswer = Type.Object({
  code: Type.String(),
  decimals: Type.Integer(),
  enabled: Type.Boolean(),
  min_minor: Type.Integer(),
  max_minor: Type.Integer(),
});

export const RateAnswer = Type.Object({
  code: Type.String(),
  ptk_price: Type.String(),
  valid_until: OrNull(Stamp),
});
