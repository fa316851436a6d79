import { minorOf, ptkMinorOf } from '../../money/money.ts';
import type { Field, Value, Values } from './action-dialog.tsx';

/** A positive amount of PTK, typed as a decimal. */
export const ptkField = (name = 'amount_ptk', label = 'Amount'): Field => ({
  name,
  label,
  unit: 'PTK',
  required: true,
  placeholder: '100.00',
  check: (value) => {
    const minor = ptkMinorOf(String(value));
    if (minor === null) return 'Digits, and at most eight after the point.';
    return minor > 0n ? null : 'More than nothing.';
  },
});

/** The eighth decimals behind what was typed into such a field, as the service takes them. */
export const ptkOf = (values: Values, name = 'amount_ptk'): string =>
  (ptkMinorOf(textOf(values, name)) ?? 0n).toString();

/** What the caller calls the operation: repeating it under the same name does nothing more. */
export const referenceField: Field = {
  name: 'reference',
  label: 'Reference',
  about: 'Your own name for this operation. The same reference again does nothing more.',
  required: true,
  check: (value) =>
    /^[\x21-\x7e]{1,191}$/.test(String(value)) ? null : 'Letters, digits and signs, without spaces.',
};

export const reasonField: Field = {
  name: 'reason',
  label: 'Reason',
  about: 'Kept in the audit log.',
  kind: 'lines',
  required: true,
};

/** A decimal amount in some currency. */
export const isDecimal = (value: Value, decimals = 12): string | null =>
  minorOf(String(value), decimals) === null ? 'A number such as 12.50.' : null;

export const isWhole = (value: Value): string | null =>
  /^\d{1,15}$/.test(String(value)) ? null : 'A whole number.';

/** A text that was entered. */
export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
}

export const listOf = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value : [];
};

export const isOn = (values: Values, name: string): boolean => values[name] === true;

/** A member of a body only where something was entered. */
export const optional = <N extends string>(values: Values, name: N): Partial<Record<N, string>> =>
  textOf(values, name) === '' ? {} : ({ [name]: textOf(values, name) } as Partial<Record<N, string>>);
