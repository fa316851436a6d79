/**
 * The small types that bodies are made of. A schema describes the JSON; its TypeScript type describes the
 * value in our code. They differ in one case: an amount in minor units is a JSON integer but a `bigint` in
 * the code, because it must never become a double (see `MinorUnits`). `Wire` is the type that a plain
 * `JSON.parse` returns.
 */
import Type, { type Static } from 'typebox';

/** The largest whole number that every JSON reader holds exactly: 2^53 - 1. */
export const maxMinorUnits = 9_007_199_254_740_991;

/**
 * A positive amount in minor units of its currency. In JSON it is an integer that every double holds exactly,
 * so every reader is safe. In our code it is a `bigint`, written as digits and never converted to a float.
 */
export const MinorUnits = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', minimum: 1, maximum: maxMinorUnits, description });

/** The type that `JSON.parse` returns for a `T`: `bigint` members are plain numbers. */
export type Wire<T> = T extends bigint
  ? number
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Member in keyof T]: Wire<T[Member]> }
      : T;

/** The same schema, but null is allowed too. */
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

/** An optional member of a request. Null means the same as omitting it. */
export const optionalOrNull = <T extends Type.TSchema>(schema: T) => Type.Optional(orNull(schema));

/** An enumeration of strings. */
export const OneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description });

/** A string with a description. */
export const Text = (description: string) => Type.String({ description });

/** A string of at most `maxLength` characters. */
export const TextUpTo = (maxLength: number, description: string) => Type.String({ maxLength, description });

/** The upper-case code of a currency, so that of the token currency is `PTK` and nothing else (R-003, D-001). */
export const CurrencyCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3,10}$', description, examples: ['USD'] });

/** A decimal number as a string, without sign or exponent. */
export const DecimalText = (description: string) =>
  Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', description, examples: ['10.00'] });

/** PTK as a whole number of the eighth decimal. It is a string because it can exceed 2^53. */
export const PtkUnits = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description, examples: ['9740000000'] });

/** PTK as a whole number of the eighth decimal, with a minus if it is negative. */
export const SignedPtkUnits = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+$', description, examples: ['-9740000000'] });

/** An instant in UTC, in RFC 3339, as Paydesk writes it (R-006, D-051). */
export const Instant = (description: string) =>
  Type.String({ format: 'date-time', pattern: 'Z$', description, examples: ['2026-03-02T09:30:00.000Z'] });

/** An instant with the time zone in which the service received it. */
export const ZonedInstant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-02T17:12:41+08:00'] });

export const Url = (description: string) => Type.String({ format: 'uri', description });

/** Identifiers are strings, even if they consist of digits. */
export const OrderNo = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
  description:
    'Identifies the collection order. Treat it as an opaque string: historical orders keep their old number.',
  examples: ['mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'],
});

export const PaymentEventId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
  description:
    'Identifies the confirmed payment and never changes. Post a payment to your books once per value.',
  examples: ['pe_01JNXW8Z5K2V7H1R4N0QX3M6BT'],
});

export const NotificationId = Type.String({
  pattern: '^ne_[0-9A-Z]{26}$',
  description: 'Identifies the notification. Repeated deliveries have the same value.',
  examples: ['ne_01JNXW900E4S8D2G6J1KC5P7VA'],
});

export const nextCursor = Type.Optional(
  Text('Send it as `cursor` to get the next page. Absent on the last page.'),
);
