import { directionOf, type Locale } from '../model/locale.ts';

/**
 * A formatted amount with its sign. Where words run from right to left, an isolate keeps the sign before the figures
 * (D-1223).
 */
export const withSign = (sign: string, amount: string, locale: Locale): string =>
  directionOf(locale) === 'ltr'
    ? sign + amount
    : amount.replace(/\p{Nd}[\p{Nd}.,٬٫]*/u, (figures) => `\u2066${sign}${figures}\u2069`);
