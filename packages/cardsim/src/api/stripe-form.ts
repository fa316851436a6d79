/** Reads the provider’s nested form encoding. */
import { StripeError } from './stripe-error.ts';

/** A form value: a string, a list, or a nested object (always without a prototype). */
export type FormValue = string | FormValue[] | FormTree;
export type FormTree = { [key: string]: FormValue };

const max_pairs = 2000;
const max_depth = 8;

type Branch = { [key: string]: string | Branch };

/**
 * Reads the provider’s nested form encoding: `a[b]=1`, `list[0][x]=1`, `expand[]=y`. Objects whose keys are
 * all digits become lists, in the order of their indices.
 *
 * @throws StripeError 400 if the text is not such a form
 */
export function parseForm(text: string): FormTree {
  const root = emptyBranch();
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > max_pairs) throw malformed('too many parameters');
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = decode(at < 0 ? pair : pair.slice(0, at));
    insert(root, keyPath(key), at < 0 ? '' : decode(pair.slice(at + 1)));
  }
  const tree = emptyTree();
  for (const [key, value] of Object.entries(root)) tree[key] = toFormValue(value);
  return tree;
}

/** The form as a string with sorted keys, so that equal requests have equal strings. */
export function canonicalForm(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalForm).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalForm(value[key] ?? '')}`);
  return `{${members.join(',')}}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed('a value is not valid percent-encoding');
  }
}

function keyPath(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (match === null) throw malformed(`the key ${JSON.stringify(key)} has unbalanced brackets`);
  const [, head = '', rest = ''] = match;
  const path = [head, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), (part) => part[1] ?? '')];
  if (path.length > max_depth) throw malformed('parameters are nested too deeply');
  return path;
}

function insert(branch: Branch, path: string[], value: string): void {
  const [first = '', ...rest] = path;
  // `list[]=x` appends: its key is the next free index.
  const key = first === '' ? String(Object.keys(branch).length) : first;
  const present = branch[key];
  if (rest.length === 0) {
    if (typeof present === 'object') throw malformed(`${key} is both a value and an object`);
    branch[key] = value;
    return;
  }
  if (typeof present === 'string') throw malformed(`${key} is both a value and an object`);
  const next = present ?? emptyBranch();
  branch[key] = next;
  insert(next, rest, value);
}

function toFormValue(value: string | Branch): FormValue {
  if (typeof value === 'string') return value;
  const keys = Object.keys(value);
  if (keys.every((key) => /^\d{1,4}$/.test(key))) {
    keys.sort((a, b) => Number(a) - Number(b));
    return keys.map((key) => toFormValue(value[key] ?? ''));
  }
  const tree = emptyTree();
  for (const key of keys) tree[key] = toFormValue(value[key] ?? '');
  return tree;
}

// Without a prototype, `__proto__` and `constructor` are ordinary keys.
function emptyTree(): FormTree {
  return Object.create(null) as FormTree;
}

function emptyBranch(): Branch {
  return Object.create(null) as Branch;
}

function malformed(reason: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    message: `Invalid request: ${reason}.`,
  });
}
