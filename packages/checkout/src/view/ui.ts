/** The texts and formats of one language, handed to every component. */
import { type AppKey, fill } from '../texts/messages.ts';
import { directionOf, type Locale } from '../model/locale.ts';
import { type AmountPart, amountParts } from '../model/money.ts';

/** The texts and formats of the buyer's language. */
export interface Ui<Key extends string = AppKey> {
  locale: Locale;
  /** A text of the catalogue with its placeholders filled in. */
  t: (key: Key, values?: Readonly<Record<string, string>>) => string;
  /** An amount in parts that a page styles differently; takes decimal strings only. */
  parts: (amount: string, currency: string) => readonly AmountPart[];
  /** An amount with its currency code; takes decimal strings only. */
  money: (amount: string, currency: string) => string;
  /** A duration in words: `30 seconds`, `5 minutes`. */
  duration: (seconds: number) => string;
  /**
   * A moment in words with its zone: in UTC, because the server does not know the buyer's.
   */
  moment: (rfc3339: string) => string;
}

/** Formatted amounts by `amountKey`. */
export type FormattedAmounts = Readonly<Record<string, readonly AmountPart[]>>;

export const amountKey = (amount: string, currency: string): string => `${currency} ${amount}`;

const opposite = { ltr: /[\u0590-\u08ff]/u, rtl: /[^\u0590-\u08ff]/u };

/**
 * @param amounts amounts that were formatted before, by `amountKey`. The browser begins with what the server has
 *   formatted, because its first number format alone would block a slow phone longer than the rest of the page.
 */
export function uiOf<Key extends string = AppKey>(
  locale: Locale,
  messages: Readonly<Record<Key, string>>,
  amounts: FormattedAmounts = {},
): Ui<Key> {
  const parts: Ui<Key>['parts'] = (amount, currency) =>
    amounts[amountKey(amount, currency)] ?? amountParts(amount, currency, locale);
  const foreign = opposite[directionOf(locale)];
  // Isolate a name or amount that runs in the other direction, so that it does not reorder the words around it.
  const isolate = (value: string): string => (foreign.test(value) ? `\u2068${value}\u2069` : value);
  return {
    locale,
    t: (key, values = {}) =>
      fill(
        messages[key],
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolate(value)])),
      ),
    parts,
    money: (amount, currency) =>
      parts(amount, currency)
        .map(({ text }) => text)
        .join(''),
    duration: (seconds) => durationIn(locale, seconds),
    moment: (rfc3339) => momentIn(locale, rfc3339),
  };
}

function durationIn(locale: Locale, seconds: number): string {
  const minutes = seconds >= 120;
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: minutes ? 'minute' : 'second',
    unitDisplay: 'long',
  });
  return format.format(minutes ? Math.ceil(seconds / 60) : Math.max(1, Math.ceil(seconds)));
}

/**
 * A moment in words. A text that is no time stays as it is.
 *
 * @param zone an IANA time zone, UTC where it is unknown; null for the zone of this browser
 */
export function momentIn(locale: string, rfc3339: string, zone: string | null = 'UTC'): string {
  const moment = new Date(rfc3339);
  if (Number.isNaN(moment.getTime())) return rfc3339;
  const formatIn = (timeZone: string | undefined): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    });
  try {
    return formatIn(zone ?? undefined).format(moment);
  } catch (refusal) {
    if (!(refusal instanceof RangeError)) throw refusal;
    return formatIn('UTC').format(moment);
  }
}
