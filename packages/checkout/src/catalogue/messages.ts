/** The type of the checkout's texts, from the English ones, and how placeholders are filled in. */
import type { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** Every text of one language. A missing or an unknown key does not compile. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** Replaces the `{placeholders}` of a text. A placeholder without a value stays visible, so that it is noticed. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
