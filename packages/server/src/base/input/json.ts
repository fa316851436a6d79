/** Strict JSON: request bodies are read without losing digits or accepting ambiguous input. */
import { parse, stringify } from 'lossless-json';
import { AppError } from '../errors.ts';

/** A number that is not a whole number, or has an extreme exponent. It keeps its text; no schema accepts it. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value after strict reading. Whole numbers beyond 2^53 are `bigint`. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | InexactNumber
  | JsonValue[]
  | { [member: string]: JsonValue };

const maxDepth = 32;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body. It must be valid UTF-8 with an optional byte-order mark, without duplicate keys at any level,
 * lone surrogates or NUL, and at most 32 levels deep. Numbers are read from their text, never through a double
 * (R-096, D-013, D-015, D-016, D-017, H-09, H-10). An empty or malformed body is refused (R-059, H-08).
 *
 * @throws AppError `invalid_request`
 */
export function parseJson(body: Uint8Array): JsonValue {
  try {
    const text = decoder.decode(body);
    const written = measure(text);
    if (written.depth > maxDepth) throw new SyntaxError('nested too deeply');
    const value = parse(text, undefined, wholeOrInexact) as JsonValue;
    // The parser accepts a repeated member if both values are equal, so members are counted instead.
    if (membersIn(value) !== written.members) throw new SyntaxError('duplicate member');
    return value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      throw new AppError('invalid_request', { description: 'The body is not well-formed JSON in UTF-8.' });
    }
    throw error;
  }
}

const numberToken = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** `1800.0` and `18e2` are the whole number 1800; `1800.5` is not a whole number (D-013). */
function wholeOrInexact(text: string): number | bigint | InexactNumber {
  const match = numberToken.exec(text);
  if (match === null) return new InexactNumber(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const power = Number(exponent);
  if (Math.abs(power) > 400) return new InexactNumber(text);
  const digits = BigInt(whole + fraction);
  const shift = power - fraction.length;
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : dividedExactly(digits, 10n ** BigInt(-shift));
  if (scaled === null) return new InexactNumber(text);
  const value = sign === '-' ? -scaled : scaled;
  const exact = Number(value);
  return Number.isSafeInteger(exact) ? exact : value;
}

function dividedExactly(digits: bigint, divisor: bigint): bigint | null {
  return digits % divisor === 0n ? digits / divisor : null;
}

/** Measures the deepest nesting and counts the object members in the text, before the recursive parser runs. */
function measure(text: string): { depth: number; members: number } {
  let open = 0;
  let depth = 0;
  let members = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === ':') members++;
    else if (char === '{' || char === '[') depth = Math.max(depth, ++open);
    else if (char === '}' || char === ']') open--;
  }
  return { depth, members };
}

/** Counts the object members at all levels. Throws on text that PostgreSQL cannot store (D-016). */
function membersIn(value: JsonValue): number {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\0')) throw new SyntaxError('unstorable text');
    return 0;
  }
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + membersIn(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, member]) => sum + 1 + membersIn(key) + membersIn(member),
    0,
  );
}

export function isJsonObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber)
  );
}

/** Writes JSON: `bigint` as digits (R-026, D-023), dates in RFC 3339, without `undefined` members. */
export function writeJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
