/** Currencies and rates as administrators see them. */
import { rfc3339OrNull } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import type { Currency, Rate } from '../../currencies/index.ts';

export const currencyJson = ({ code, decimals, enabled, min_minor, max_minor }: Currency) => ({
  code,
  decimals,
  enabled,
  min_minor,
  max_minor,
});

/** A rate. Its price is a decimal string without trailing zeros. */
export const rateJson = ({ currency, price_e12, valid_until }: Rate) => ({
  code: currency,
  ptk_price: formatMinor(price_e12, 12).replace(/0+$/, '').replace(/\.$/, ''),
  valid_until: rfc3339OrNull(valid_until),
});
