import type { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** Every text of one language: a missing or foreign key does not compile. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** A text with its `{placeholders}` filled in; one without a value stays visible, so that nobody overlooks it. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
