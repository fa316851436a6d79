/** Reads JSON without losing digits: a whole number that a double cannot hold becomes its digits as a string. */

export type JsonObject = Record<string, unknown>;

/** Strings come first, so that digits inside a string are left alone. */
const strings_and_numbers = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The object in a text, or undefined if the text is not one. */
export function parseObject(text: string): JsonObject | undefined {
  const exact = text.replaceAll(strings_and_numbers, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  try {
    const value: unknown = JSON.parse(exact);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The object with these members as `bigint`. Members that are absent stay absent. */
export function withBigInts(object: JsonObject, members: readonly string[]): JsonObject {
  const exact = members.flatMap((name): [string, bigint][] => {
    const value = object[name];
    const is_whole = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
    return is_whole ? [[name, BigInt(value as number | string)]] : [];
  });
  return { ...object, ...Object.fromEntries(exact) };
}
