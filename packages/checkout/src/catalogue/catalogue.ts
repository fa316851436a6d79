import type { Locale } from '../model/locale.ts';
import { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** Every text of one language: a missing or foreign key does not compile. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** The texts of a language. */
export const messagesIn = (locale: Locale): Messages => catalogue[locale];

/** A text with its `{placeholders}` filled in; one without a value stays visible, so that nobody overlooks it. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export const catalogue: Readonly<Record<Locale, Messages>> = {
  en,
  de: en,
  es: en,
  fr: en,
  'zh-Hans': en,
  ja: en,
  ar: en,
};
