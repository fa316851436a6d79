/**
 * The texts of the consoles in one language. An area is loaded before its first screen is: texts may be read at the top
 * of a module. Invariant: the language never changes while the page is open.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import { type Catalogues, untranslated } from './areas.ts';
import { numberText } from './format.ts';
import { direction, language } from './language.ts';
import type { Area, Message, ValuesOf } from './messages.ts';

type Texts = Readonly<Record<string, Message>>;

/** Modules with texts, by path. Vitest sees new files of a glob only if the call has no type argument. */
type TextFiles = Readonly<Record<string, () => Promise<{ texts: Texts }>>>;

/** The files of all areas and languages, each in a chunk of its own: `./core/de.ts`. */
const files: TextFiles = import.meta.glob(['./*/*.ts', '!./*/*.test.ts']);

const loaded = new Map<Area, Texts>();

const fileOf = (area: Area, tag: string) => files[`./${area}/${tag.toLowerCase()}.ts`];

/** Loads areas in the language of the page. What an incomplete area lacks is loaded in English. */
export async function loadTexts(areas: readonly Area[]): Promise<void> {
  await Promise.all(
    areas.map(async (area) => {
      if (loaded.has(area)) return;
      const isPartial = language !== 'en' && (untranslated as readonly Area[]).includes(area);
      const tags = isPartial ? ['en', language] : [language];
      const found = await Promise.all(tags.map(async (tag) => (await fileOf(area, tag)?.())?.texts));
      loaded.set(area, Object.assign({}, ...found) as Texts);
    }),
  );
}

interface TextsOf<A extends Area> {
  /** A text of the area with its placeholders filled in. Numbers are written as the language does. */
  <K extends keyof Catalogues[A]>(key: K, ...values: ValuesOf<A, K, string | number>): string;
  /** The same with elements in the placeholders, such as a link or an amount. */
  rich: <K extends keyof Catalogues[A]>(key: K, ...values: ValuesOf<A, K, ReactNode>) => ReactNode;
}

/** The texts of an area. */
export function textsOf<A extends Area>(area: A): TextsOf<A> {
  type Key = keyof Catalogues[A];
  const find = (key: Key, values: Values): string => templateOf(messageOf(area, String(key)), values);
  const text = (key: Key, values: Plain = {}): string =>
    find(key, values).replace(placeholders, (whole, name: string) =>
      Object.hasOwn(values, name) ? isolated(shown(values[name])) : whole,
    );
  const rich = (key: Key, values: Values = {}): ReactNode => {
    // At odd places stand the names of placeholders.
    const parts = find(key, values).split(placeholders);
    return createElement(
      Fragment,
      null,
      ...parts.map((part, at) => (at % 2 === 0 ? part : element(values[part]))),
    );
  };
  return Object.assign(text, { rich }) as TextsOf<A>;
}

type Values = Readonly<Record<string, ReactNode>>;
type Plain = Readonly<Record<string, string | number>>;

const placeholders = /\{(\w+)\}/g;

function messageOf(area: Area, key: string): Message {
  const texts = loaded.get(area);
  if (texts === undefined) throw new Error(`the texts of ${area} are not loaded`);
  return texts[key] ?? key;
}

/** A text that is the same in every language: a piece of code, an address, the name of a column in a file. */
export const verbatim = (text: string): string => text;

/** The words for a code of the service, such as a status; null for a code that the console does not know. */
export function textOfCode(code: string): string | null {
  const text = loaded.get('codes')?.[code];
  return typeof text === 'string' ? text : null;
}

/**
 * What an error says in the language of the page. The service writes English: its usual text is replaced by that of the code,
 * and a text about one case follows the code's. Codes without a text, and a page in English, keep what the service wrote.
 */
export function textOfError(code: string, description: string): string {
  const told = loaded.get('errors')?.[code];
  if (typeof told !== 'string') return description;
  return usual[code] === description ? told : `${told} (${isolated(description)})`;
}

/** The usual English texts of the codes. */
let usual: Texts = {};

/** Loads the texts of errors, in the background: the first screen does without them. */
export async function loadErrorTexts(): Promise<void> {
  if (language === 'en') return;
  [usual] = await Promise.all([
    import('./errors/en.ts').then(({ texts }): Texts => texts),
    loadTexts(['errors']),
  ]);
}

const rules = new Intl.PluralRules(language);

function templateOf(message: Message, { count }: Values): string {
  if (typeof message === 'string') return message;
  return message[rules.select(Number(count))] ?? message.other;
}

const shown = (value: string | number = ''): string =>
  typeof value === 'number' ? numberText(value) : value;

const opposite = { ltr: /[\u0590-\u08ff]/u, rtl: /[^\u0590-\u08ff]/u }[direction];

/** Isolates a value that runs in the other direction, so that it does not reorder the words around it. */
const isolated = (value: string): string => (opposite.test(value) ? `\u2068${value}\u2069` : value);

const element = (value: ReactNode): ReactNode =>
  direction === 'ltr' ? value : createElement('bdi', null, value);
