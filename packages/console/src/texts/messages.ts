/** The types of the consoles' texts: the English ones decide which texts there are and which values go into each (D-276). */
import type { Catalogues, untranslated } from './areas.ts';

/** A part of the consoles whose texts are loaded together. */
export type Area = keyof Catalogues;

/**
 * A text that depends on the number `{count}`: a form for each plural category that the language has. English has `one`
 * and `other`, Arabic has six.
 */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

export type Message = string | Plural;

type Every<A extends Area> = {
  readonly [K in keyof Catalogues[A]]: Catalogues[A][K] extends string ? string : Plural;
};

/**
 * Every text of an area in another language. An unknown key does not compile, nor a missing one, unless the area is on
 * the list of those that are not complete.
 */
export type Messages<A extends Area> = A extends (typeof untranslated)[number] ? Partial<Every<A>> : Every<A>;

/** The names of a text's `{placeholders}`. */
type Names<T> = T extends string
  ? T extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Names<Rest>
    : never
  : Names<T[keyof T]>;

/** The arguments after the key: none, or a value for each placeholder. */
export type ValuesOf<A extends Area, K extends keyof Catalogues[A], V> = [Names<Catalogues[A][K]>] extends [
  never,
]
  ? []
  : [values: Readonly<Record<Names<Catalogues[A][K]>, V>>];
