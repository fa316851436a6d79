/** How long an asynchronous method takes, in words. */
import { messagesIn } from '../texts/catalogue.ts';
import { fill } from '../texts/messages.ts';
import type { Locale } from '../model/locale.ts';

/** `up to 20 days`, in a language. */
export function waitText(days: number, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return fill(messagesIn(locale)['method_wait'], { time: format.format(days) });
}
