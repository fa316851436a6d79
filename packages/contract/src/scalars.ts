/**
 * The small types that bodies are made of. A schema says what is on the wire; the type beside it says what our own
 * code holds. They differ in one place: a count of minor units is a JSON integer on the wire and a `bigint` in the
 * code, because a JSON reader may not make a double of it (see `MinorUnits`). `Wire` names what a plain
 * `JSON.parse` makes of a body.
 */
import Type, { type Static } from 'typebox';

/** The largest whole number that every JSON reader holds exactly: 2^53 - 1. */
export const maxMinorUnits = 9_007_199_254_740_991;

/**
 * A positive amount in minor units of its currency. On the wire a JSON integer within the range that doubles hold
 * exactly, so any reader is safe; in our code a `bigint`, written as raw digits and never passed through a float.
 */
export const MinorUnits = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', minimum: 1, maximum: maxMinorUnits, description });

/** What `JSON.parse` gives for a value of `T`: integers beyond our own code's types are plain numbers there. */
export type Wire<T> = T extends bigint
  ? number
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Member in keyof T]: Wire<T[Member]> }
      : T;

/** The same schema, satisfied by null as well. */
export function orNull<T extends Type.TSchema>(schema: T): Type.TUnsafe<Static<T> | null> {
  const { type, enum: values, description, ...rest } = schema as T & Keywords;
  const told = description === undefined ? {} : { description };
  if (typeof type !== 'string' || type === 'object') {
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], ...told });
  }
  const nullable = values === undefined ? {} : { enum: [...values, null] };
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...nullable, ...told });
}

interface Keywords {
  type?: string;
  enum?: readonly unknown[];
  description?: string;
}

/** An optional member of a request: left out and null mean the same. */
export const optionalOrNull = <T extends Type.TSchema>(schema: T) => Type.Optional(orNull(schema));

/** One of a few texts. */
export const OneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description });

/** A text; the description says what of. */
export const Text = (description: string) => Type.String({ description });

/** A text of at most so many characters. */
export const TextUpTo = (maxLength: number, description: string) => Type.String({ maxLength, description });

export const CurrencyCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3,10}$', description, examples: ['USD'] });

/** A decimal number as a text, without sign or exponent. */
export const DecimalText = (description: string) =>
  Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', description, examples: ['10.00'] });

/** PTK as a whole number of its eighth decimal, written as a text because it may exceed 2^53. */
export const PtkUnits = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description, examples: ['9740000000'] });

/** An instant in UTC. */
export const Instant = (description: string) =>
  Type.String({ format: 'date-time', pattern: 'Z$', description, examples: ['2026-03-02T09:30:00.000Z'] });

/** An instant in the zone in which it was told to us. */
export const ZonedInstant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-02T17:12:41+08:00'] });

export const Url = (description: string) => Type.String({ format: 'uri', description });

export const OrderNo = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
  description:
    'Identifies the collection order. Treat it as opaque text: historical orders keep the number they had.',
  examples: ['mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'],
});

export const PaymentEventId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
  description:
    'Identifies the confirmed payment, the same for ever: post a payment to your books once per value.',
  examples: ['pe_01JNXW8Z5K2V7H1R4N0QX3M6BT'],
});

export const NotificationId = Type.String({
  pattern: '^ne_[0-9A-Z]{26}$',
  description: 'Identifies the notification; repeated deliveries carry the same value.',
  examples: ['ne_01JNXW900E4S8D2G6J1KC5P7VA'],
});

export const nextCursor = Type.Optional(Text('Send it as `cursor` to go on. Absent on the last page.'));
