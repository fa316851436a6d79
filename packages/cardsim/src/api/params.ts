import { parseAmount } from '../records/amounts.ts';
import type { Metadata } from '../records/records.ts';
import { invalidParameter } from './stripe-error.ts';
import type { FormTree, FormValue } from './stripe-form.ts';

/**
 * Readers for the members of a request. Each takes the object, the member’s key and `at`, the path of the
 * object (`line_items[0]`; empty at the top). An error has the full path as `param`. An empty string counts
 * as absent, as at the provider.
 */

export function memberPath(at: string, key: string): string {
  return at === '' ? key : `${at}[${key}]`;
}

export function optionalText(from: FormTree, key: string, at = '', max_length = 5000): string | undefined {
  const value = from[key];
  if (value === undefined || value === '') return undefined;
  const param = memberPath(at, key);
  if (typeof value !== 'string') throw invalidParameter(param, `Invalid string: ${param} must be a string.`);
  if (value.length > max_length) {
    const message = `Invalid string: ${param} must be at most ${max_length} characters`;
    throw invalidParameter(param, message, 'parameter_invalid_string_too_long');
  }
  return value;
}

export function requiredText(from: FormTree, key: string, at = ''): string {
  return optionalText(from, key, at) ?? missing(from[key], memberPath(at, key));
}

/** A whole number that is not negative, as `bigint`. */
export function optionalWhole(from: FormTree, key: string, at = ''): bigint | undefined {
  const text = optionalText(from, key, at);
  if (text === undefined) return undefined;
  const param = memberPath(at, key);
  const value = parseAmount(text);
  if (value === undefined)
    throw invalidParameter(param, `Invalid integer: ${text}`, 'parameter_invalid_integer');
  return value;
}

export function requiredWhole(from: FormTree, key: string, at = ''): bigint {
  return optionalWhole(from, key, at) ?? missing(from[key], memberPath(at, key));
}

/** Unix seconds. */
export function optionalTime(from: FormTree, key: string, at = ''): number | undefined {
  const value = optionalWhole(from, key, at);
  return value === undefined ? undefined : Number(value);
}

/** An absolute http or https address. It can contain the placeholder for the session id. */
export function optionalUrl(from: FormTree, key: string): string | undefined {
  const text = optionalText(from, key);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidParameter(key, 'Not a valid URL', 'url_invalid');
  }
  return text;
}

export function optionalChoice(
  from: FormTree,
  key: string,
  choices: readonly string[],
  at = '',
): string | undefined {
  const text = optionalText(from, key, at);
  if (text === undefined || choices.includes(text)) return text;
  const param = memberPath(at, key);
  throw invalidParameter(param, `Invalid ${param}: must be one of ${choices.join(', ')}`);
}

export function optionalTree(from: FormTree, key: string, at = ''): FormTree | undefined {
  const value = from[key];
  if (value === undefined || value === '') return undefined;
  const param = memberPath(at, key);
  if (typeof value === 'string' || Array.isArray(value)) {
    throw invalidParameter(param, `Invalid object: ${param} must be an object`, 'parameter_invalid_object');
  }
  return value;
}

export function optionalList(from: FormTree, key: string, at = ''): FormValue[] | undefined {
  const value = from[key];
  if (value === undefined || value === '') return undefined;
  const param = memberPath(at, key);
  if (!Array.isArray(value)) {
    throw invalidParameter(param, `Invalid array: ${param} must be an array`, 'parameter_invalid_array');
  }
  return value;
}

/** At most 50 keys of 40 characters with values of 500 characters, as at the provider. */
export function metadataOf(from: FormTree, key = 'metadata', at = ''): Metadata {
  const param = memberPath(at, key);
  const value = from[key];
  // The form reader reads keys of digits as a list. In metadata they are keys.
  const tree = Array.isArray(value)
    ? Object.fromEntries(value.entries())
    : (optionalTree(from, key, at) ?? {});
  const metadata: Metadata = {};
  for (const name of Object.keys(tree)) {
    if (name.length > 40)
      throw invalidParameter(param, `Metadata keys must be at most 40 characters: ${name}`);
    const text = optionalText(tree, name, param, 500);
    // An assignment to the key `__proto__` would set the prototype instead of a member.
    if (text !== undefined) {
      Object.defineProperty(metadata, name, {
        value: text,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  if (Object.keys(metadata).length > 50) throw invalidParameter(param, 'Metadata can have at most 50 keys');
  return metadata;
}

function missing(value: FormValue | undefined, param: string): never {
  if (value === '') {
    const message = `You passed an empty string for '${param}', which is required.`;
    throw invalidParameter(param, message, 'parameter_invalid_empty');
  }
  throw invalidParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
}
