/** The inputs of a dialog's form, one for each kind of field. */
import {
  Checkbox,
  ColorInput,
  FileInput,
  MultiSelect,
  type OptionsFilter,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { type Field, listOf, sizeErrorOf, tooLarge, type Values } from './fields.ts';
import { FindOne, FindSome } from './finder.tsx';
import { textsOf } from '../../texts/texts.ts';
import { useEscape } from './use-escape.ts';

const t = textsOf('core');

interface FieldInputProps {
  field: Field;
  form: UseFormReturnType<Values>;
  /** Whether it is the first one: what is typed into has the focus when the dialog opens (D-551). */
  isFirst?: boolean;
}

/** One field of a dialog's form, drawn as its kind says: on a phone, amounts, emails and addresses get their keyboards (D-657). */
export function FieldInput({ field, form, isFirst = false }: FieldInputProps) {
  const isTicked = field.kind === 'switch' || field.kind === 'check';
  const input = {
    label: field.label,
    description: field.about,
    withAsterisk: field.required,
    name: field.name,
    ...form.getInputProps(field.name, { type: isTicked ? 'checkbox' : 'input' }),
  };
  const text = {
    ...input,
    placeholder: field.placeholder,
    // A colour opens its picker at once, which takes the first Escape: the focus does not begin there.
    'data-autofocus': (isFirst && field.kind !== 'colour') || undefined,
  };
  switch (field.kind) {
    case 'lines':
      return <Textarea {...text} autosize minRows={3} maxRows={12} />;
    case 'password':
      // The component does not mark its input as invalid by itself.
      return (
        <PasswordInput
          {...text}
          aria-invalid={form.errors[field.name] !== undefined}
          autoComplete="new-password"
          // The component has English only (D-1313).
          visibilityToggleButtonProps={{ 'aria-label': t('show_or_hide_what_is_typed') }}
        />
      );
    case 'choice':
      return <ChoiceInput field={field} form={form} input={input} />;
    case 'choices':
      return <ChoicesInput field={field} form={form} input={input} />;
    case 'tags':
      return <TagsInput {...text} />;
    case 'switch':
      return <Switch {...input} />;
    case 'check':
      return <Checkbox {...input} />;
    case 'time':
      return <TextInput {...text} type="datetime-local" />;
    case 'number':
      return <TextInput {...text} inputMode="numeric" />;
    case 'colour':
      return <ColourInput {...text} />;
    case 'file':
      return <PickedFile field={field} form={form} input={input} />;
    case 'text':
    case 'amount':
    case 'email':
    case 'url':
    case undefined:
      return (
        <TextInput
          {...text}
          type={field.kind === 'email' || field.kind === 'url' ? field.kind : 'text'}
          inputMode={field.kind === 'amount' ? 'decimal' : undefined}
          rightSection={field.unit === undefined ? undefined : <Text size="xs">{field.unit}</Text>}
          rightSectionWidth={field.unit === undefined ? undefined : 52}
        />
      );
  }
}

/** A colour, typed or picked below the field. Escape closes the picker alone. */
function ColourInput(input: InputProps) {
  const [opened, { open, close }] = useDisclosure(false);
  useEscape(opened, close);
  // The picker is for the pointer: the field takes the same by keyboard.
  const picker = { dropdown: { role: 'dialog', 'aria-hidden': true } };
  return (
    <ColorInput
      {...input}
      format="hex"
      aria-haspopup="dialog"
      popoverProps={{ opened, attributes: picker }}
      onFocus={open}
      onClick={open}
      onBlur={close}
      eyeDropperButtonProps={{ 'aria-label': t('pick_a_colour') }}
    />
  );
}

/** The properties that every input gets from the form and from its field. */
type InputProps = ReturnType<UseFormReturnType<Values>['getInputProps']> & { label: string };

const plain = (text: string): string => text.trim().toLowerCase().replaceAll('_', ' ');

/** People search `America/New_York` as "new york" (D-1326). */
const filter: OptionsFilter = ({ options, search }) =>
  options.filter((option) => 'label' in option && plain(option.label).includes(plain(search)));

/** Enter chooses, and does not send the form without what is searched (D-1330). */
const keepForm = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault();
};

/** One of several choices. The form holds an empty text where the component has null. */
function ChoiceInput({ field, form, input }: FieldInputProps & { input: InputProps }) {
  const { choices = [], finder, placeholder } = field;
  const value = form.values[field.name];
  const chosen = {
    ...input,
    value: typeof value === 'string' && value !== '' ? value : null,
    onChange: (picked: string | null) => form.setFieldValue(field.name, picked ?? ''),
    onKeyDown: keepForm,
  };
  if (finder !== undefined) {
    return <FindOne {...chosen} finder={finder} placeholder={placeholder ?? t('type_to_search')} />;
  }
  return (
    <Select
      {...chosen}
      data={[...choices]}
      // Where a value is needed, the chosen one stays chosen (D-1405).
      allowDeselect={field.required !== true}
      searchable={choices.length > 8}
      filter={filter}
      selectFirstOptionOnChange
      nothingFoundMessage={t('no_results')}
      placeholder={placeholder ?? t('choose')}
    />
  );
}

/** Any number of several choices. */
function ChoicesInput({ field, form, input }: FieldInputProps & { input: InputProps }) {
  const { choices = [], finder, label, name, placeholder } = field;
  const chosen = { ...input, value: listOf(form.values, name), onKeyDown: keepForm };
  if (finder !== undefined) {
    return <FindSome {...chosen} finder={finder} placeholder={placeholder ?? t('type_to_search')} />;
  }
  return (
    <MultiSelect
      {...chosen}
      data={[...choices]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear_label', { label }) }}
    />
  );
}

/**
 * A file, which the form holds as a `data:` address. A file that is too large is refused before it is read, and keeps
 * the form from being sent (D-512).
 */
function PickedFile({ field, form, input }: FieldInputProps & { input: InputProps }) {
  const { accept, max_bytes = Infinity, name } = field;
  const [file, setFile] = useState<File | null>(null);
  const pick = (picked: File | null): void => {
    setFile(picked);
    form.setFieldValue(name, '');
    if (picked === null) return;
    if (picked.size > max_bytes) {
      form.setFieldValue(name, tooLarge);
      return;
    }
    const reader = new FileReader();
    reader.onload = () => form.setFieldValue(name, typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => form.setFieldError(name, t('the_file_cannot_be_read_choose'));
    reader.readAsDataURL(picked);
  };
  return (
    <FileInput
      label={input.label}
      description={field.about}
      withAsterisk={field.required}
      name={name}
      error={form.errors[name] ?? sizeErrorOf(field, form.values[name])}
      value={file}
      onChange={pick}
      accept={accept}
      placeholder={field.placeholder ?? t('choose_a_file')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear_label', { label: field.label }) }}
    />
  );
}
