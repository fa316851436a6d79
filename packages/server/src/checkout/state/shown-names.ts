/** The names of a method and of what was paid with, in the language of the page. */
import {
  brandName,
  type CheckoutMethod,
  type CheckoutPaidWith,
  type Locale,
  methodTypeName,
  waitText,
} from '@paydesk/checkout';
import type { PaidWith } from '../../channels/card/index.ts';
import { type Channel, daysUntilDecided, methodTypesFor } from '../../channels/index.ts';

/** The channel's name in the language (D-264), and what its provider's page offers in a currency (D-260). */
export function shownName(
  channel: Pick<Channel, 'name' | 'names' | 'payment_method_types'>,
  currency: string,
  locale: Locale,
): Pick<CheckoutMethod, 'name' | 'types'> {
  const name = channel.names[locale] ?? channel.name;
  const types = methodTypesFor(channel.payment_method_types, currency);
  if (types === null) return { name };
  return {
    name,
    types: types.map((type) => {
      const days = daysUntilDecided(type);
      return { type, name: methodTypeName(type, locale), ...shownWait(days, locale) };
    }),
  };
}

/** The longest time of an asynchronous method, as a number and in words (D-262). */
export const shownWait = (days: number | null, locale: Locale): { days?: number; wait?: string } =>
  days === null ? {} : { days, wait: waitText(days, locale) };

/** Brand, last four digits and wallet as the buyer knows them (D-263). */
export function shownPaidWith({ type, brand, last4, wallet }: PaidWith, locale: Locale): CheckoutPaidWith {
  return {
    type,
    name: (brand === undefined ? null : brandName(brand)) ?? methodTypeName(type, locale),
    ...(brand === undefined ? {} : { brand }),
    ...(last4 === undefined ? {} : { last4 }),
    ...(wallet === undefined ? {} : { wallet: methodTypeName(wallet, locale) }),
  };
}
