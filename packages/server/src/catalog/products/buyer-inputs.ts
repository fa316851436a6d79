/** The inputs that a product requires of its buyers: their format, and the check of the buyer's values. */
import { AppError, invalid } from '../../base/errors.ts';

/** One input that a product requests from its buyers. */
export interface Input {
  key: string;
  label: string;
  required: boolean;
  /** Empty if there is none. */
  placeholder: string;
}

const grammar = /^([A-Za-z][A-Za-z0-9_.-]{0,63})=([^=]{1,100})=(true|false)(?:=(.{0,200}))?$/u;
const control = /\p{Cc}/u;

/**
 * Reads the inputs of a product, each `key=label=required[=placeholder]`: `qq_account=QQ account=true` (D-184).
 *
 * @throws AppError `invalid_request` on `other_ipu_cnf.{entry}`, counted from 0
 */
export function parseInputs(other_ipu_cnf: readonly string[]): Input[] {
  const keys = new Set<string>();
  return other_ipu_cnf.map((entry, i) => {
    const refuse = (why: string) => invalid(`other_ipu_cnf.${i}`, `"${entry}": ${why}`);
    const input = readInput(entry);
    if (input === null) {
      throw refuse('write key=label=required, such as account=Account=true; a placeholder may follow.');
    }
    if (keys.has(input.key)) throw refuse('another entry has the same key.');
    keys.add(input.key);
    return input;
  });
}

function readInput(entry: string): Input | null {
  const match = control.test(entry) ? null : grammar.exec(entry);
  if (match === null) return null;
  const [, key = '', label = '', required, placeholder = ''] = match;
  return label.trim() === '' ? null : { key, label, required: required === 'true', placeholder };
}

/**
 * Checks the buyer's values against the inputs of the product (R-353, D-184).
 *
 * @param entered texts by key, trimmed
 * @returns the same, without empty texts
 * @throws AppError `input_unknown` or `input_required` with the invalid field
 */
export function checkInputs(
  other_ipu_cnf: readonly string[],
  entered: Readonly<Record<string, string>>,
): Record<string, string> {
  const inputs = parseInputs(other_ipu_cnf);
  const filled = Object.entries(entered).filter(([, text]) => text !== '');
  for (const [key] of filled) {
    if (!inputs.some((input) => input.key === key)) {
      throw new AppError('input_unknown', { field: `other_ipu.${key}` });
    }
  }
  for (const { key, required } of inputs) {
    if (required && !filled.some(([name]) => name === key)) {
      throw new AppError('input_required', { field: `other_ipu.${key}` });
    }
  }
  return Object.fromEntries(filled);
}
