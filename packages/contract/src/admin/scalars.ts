/**
 * The small types that bodies of the administration API are made of. Unknown members are ignored. Amounts in PTK
 * (`*_ptk`) are whole numbers of the eighth decimal, written as strings; `*_minor` are minor units of the currency.
 */
import Type from 'typebox';

const maxMinor = 9_007_199_254_740_991;

export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3,10}$' });

export const Name = Type.String({ minLength: 1, maxLength: 200 });

export const Line = Type.String({ maxLength: 500 });

export const Text = Type.String({ maxLength: 10_000 });

export const Url = Type.String({ maxLength: 2_048 });

export const Id = Type.String({ minLength: 1, maxLength: 100 });

export const Instant = Type.String({ maxLength: 40, description: 'RFC 3339' });

/** The reason for a change. Calls that require it reject an empty or missing reason. */
export const Reason = Type.String({ maxLength: 2_000 });

/** The caller’s name for the operation. Repeating it with the same reference has no further effect. */
export const Reference = Type.String({ minLength: 1, maxLength: 191, pattern: '^[\\x21-\\x7e]+$' });

/**
 * A whole number of minor units: an integer, or its digits as a string if it is too large for an exact JSON
 * number.
 */
export const Minor = Type.Union([
  Type.Integer({ minimum: 0, maximum: maxMinor }),
  Type.String({ pattern: '^[0-9]{1,38}$' }),
]);

/** A positive amount of PTK. */
export const PtkAmount = Type.String({ pattern: '^0*[1-9][0-9]*$', maxLength: 38 });

/** An amount of PTK that may be zero. */
export const PtkLimit = Type.String({ pattern: '^[0-9]{1,38}$' });

/** Members of every movement of PTK. */
export const move = { amount_ptk: PtkAmount, reference: Reference };

/** A decimal string in the currency beside it. */
export const DecimalAmount = Type.String({ maxLength: 40 });

export const Stamp = Type.String({ description: 'RFC 3339 in UTC' });

export const Digits = Type.String({ pattern: '^[0-9]+$' });

/** Digits, with a minus sign if the value is negative. */
export const SignedDigits = Type.String({ pattern: '^-?[0-9]+$' });

export const Count = Type.Integer({ minimum: 0 });

/** The same schema, satisfied by null as well. */
export const OrNull = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()]);

/** A page of a list. The last page has no `next_cursor`. */
export const PageOf = <T extends Type.TSchema>(Item: T) =>
  Type.Object({ items: Type.Array(Item), next_cursor: Type.Optional(Type.String()) });

export const Json = Type.Record(Type.String(), Type.Unknown());

/** The `limit` parameter of lists. */
export const ListLimit = Type.Integer({ minimum: 1, maximum: 100, default: 20 });
