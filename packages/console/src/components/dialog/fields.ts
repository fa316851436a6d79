/** The fields of a dialog as data: their values, and what is wrong with these. */
import { minorOf, ptkMinorOf } from '../../money/money.ts';
import { typedAmount } from '../../money/typed-amount.ts';
import type { Choice, Finder } from './finder.tsx';
import { sizeText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** The value of a field: a text, a list of texts, or yes and no. */
export type Value = string | boolean | string[];
/** The values of a dialog's fields by name. */
export type Values = Readonly<Record<string, Value>>;

/** A field of a dialog, as data: field-input.tsx draws it. */
export interface Field {
  name: string;
  label: string;
  about?: string;
  kind?:
    | 'text'
    | 'amount'
    | 'email'
    | 'url'
    | 'lines'
    | 'password'
    | 'choice'
    | 'choices'
    | 'tags'
    | 'switch'
    | 'check'
    | 'time'
    | 'number'
    | 'colour'
    | 'file';
  choices?: readonly Choice[];
  /** Searches the choices where there are too many to list. */
  finder?: Finder;
  initial?: Value;
  required?: boolean;
  /** Says in words why a value is needed beside those of the other fields; null if it may be empty. */
  needed?: (values: Values) => string | null;
  placeholder?: string;
  /** Whether the field is shown; always by default. A hidden field is not validated. */
  when?: (values: Values) => boolean;
  /** Says in words what is wrong with a value that is not empty; null if it is valid. */
  check?: (value: Value, values: Values) => string | null;
  /** For a file: the types that the browser offers, and the most bytes. Its value is a `data:` address. */
  accept?: string;
  max_bytes?: number;
  /** A unit shown behind the field, such as a currency. */
  unit?: string;
}

/** The values that a dialog opens with. */
export const initialValuesOf = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map((field) => [field.name, field.initial ?? emptyOf(field)]));

function emptyOf({ kind }: Field): Value {
  if (kind === 'switch' || kind === 'check') return false;
  return kind === 'choices' || kind === 'tags' ? [] : '';
}

export const shownFields = (fields: readonly Field[], values: Values): Field[] =>
  fields.filter(({ when }) => when?.(values) !== false);

/** What is wrong with the values of the fields that are shown, in words, by name. */
export const errorsOf = (fields: readonly Field[], values: Values): Record<string, string | null> =>
  Object.fromEntries(shownFields(fields, values).map((field) => [field.name, errorOf(field, values)]));

/** An error of the service at a field. It begins with the field's label where it began with the API's member (D-1425). */
export const toldAt = ({ label }: Field, member: string, message: string): string =>
  message.startsWith(`${member} `) ? label + message.slice(member.length) : message;

/** The value of a file that is larger than its field takes, so that the form is not sent without it (D-512). */
export const tooLarge = 'too-large';

/** What is wrong with the size of a picked file. */
export const sizeErrorOf = ({ kind, max_bytes = Infinity }: Field, value: Value | undefined): string | null =>
  kind === 'file' && value === tooLarge
    ? t('the_file_is_larger_than_size', { size: sizeText(max_bytes) })
    : null;

function errorOf(field: Field, values: Values): string | null {
  const value = values[field.name] ?? '';
  const wrongSize = sizeErrorOf(field, value);
  if (wrongSize !== null) return wrongSize;
  const isEmpty =
    typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
  if (isEmpty || value === false) {
    return field.required === true ? t('enter_a_value') : (field.needed?.(values) ?? null);
  }
  return field.check?.(value, values) ?? (field.kind === 'amount' ? isDecimal(value) : null);
}

/** The values with amounts and numbers in the form that the service takes. */
export const withPoints = (fields: readonly Field[], values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    fields
      .filter(({ kind }) => kind === 'amount' || kind === 'number')
      .map(({ name }) => [name, typedAmount(textOf(values, name))]),
  ),
});

/** The entered text, trimmed. */
export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** An entered currency. Phones begin with small letters (D-1327). */
export const currencyOf = (values: Values, name = 'currency'): string => textOf(values, name).toUpperCase();

/** The chosen or entered texts. */
export const listOf = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value : [];
};

export const isOn = (values: Values, name: string): boolean => values[name] === true;

/** A member of a request's body, left out if nothing was entered. */
export const optional = <N extends string>(values: Values, name: N): Partial<Record<N, string>> =>
  textOf(values, name) === '' ? {} : ({ [name]: textOf(values, name) } as Partial<Record<N, string>>);

/** A positive amount of PTK, typed as a decimal. */
export const ptkField = (name = 'amount_ptk', label = t('amount')): Field => ({
  name,
  label,
  kind: 'amount',
  unit: 'PTK',
  required: true,
  placeholder: '100.00',
  check: (value) => {
    const minor = ptkMinorOf(String(value));
    if (minor === null) return t('enter_an_amount_with_at_most');
    return minor > 0n ? null : t('enter_an_amount_above_zero');
  },
});

/** The amount typed into a `ptkField`, in minor units as the service takes it. */
export const ptkOf = (values: Values, name = 'amount_ptk'): string =>
  (ptkMinorOf(textOf(values, name)) ?? 0n).toString();

/** The caller's name for the operation: repeating it under the same name has no further effect. */
export const referenceField: Field = {
  name: 'reference',
  label: t('reference'),
  about: t('your_own_id_for_this_operation'),
  required: true,
  check: (value) =>
    /^[\x21-\x7e]{1,191}$/.test(String(value)) ? null : t('use_letters_digits_and_symbols_without'),
};

export const reasonField: Field = {
  name: 'reason',
  label: t('reason'),
  about: t('recorded_in_the_audit_log'),
  kind: 'lines',
  required: true,
};

/** The address ranges from which a key or a client may call. */
export const rangesField = (initial: readonly string[]): Field => ({
  name: 'allowed_cidrs',
  label: t('allowed_ip_addresses'),
  about: t('ranges_such_as_203_0_113'),
  kind: 'tags',
  initial: [...initial],
});

/** Says what is wrong with a decimal amount. */
const isDecimal = (value: Value): string | null =>
  minorOf(String(value), 12) === null ? t('enter_a_number_such_as_12') : null;

/** For `check`: a whole number. */
export const isWhole = (value: Value): string | null =>
  /^\d{1,15}$/.test(String(value)) ? null : t('enter_a_whole_number');

/** For `check`: a whole number of at least 1. */
export const isCount = (value: Value): string | null =>
  isWhole(value) ?? (Number(value) > 0 ? null : t('enter_a_number_above_zero'));
