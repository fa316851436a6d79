/** Fields that search the service for their choices, for lists that are too long to show. */
import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type KeyboardEventHandler, type ReactNode, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

export interface Choice {
  value: string;
  label: string;
}

/** Searches the choices for a text. */
export interface Finder {
  /** Unique among all finders: part of the query's key. */
  name: string;
  /**
   * The first choices that match a text; the first of all if it is empty. Searching for a choice's value finds that
   * choice.
   *
   * @throws ApiError
   */
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
}

const keep_ms = 60_000;
const found = ({ name, find }: Finder, text: string) => ({
  queryKey: ['found', name, text],
  queryFn: ({ signal }: { signal: AbortSignal }) => find(text, signal),
  staleTime: keep_ms,
});

// The service has filtered already.
const filter: OptionsFilter = ({ options }) => options;

/** The choices to show: what the service finds for the typed text, what is chosen, and what is always offered. */
function useFinder(finder: Finder, chosen: readonly string[], always: readonly Choice[]) {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 250);
  const unknown = chosen.filter((value) => always.every((choice) => choice.value !== value));
  const named = useQueries({ queries: unknown.map((value) => found(finder, value)) }).flatMap(
    ({ data = [] }, at) => data.filter(({ value }) => value === unknown[at]),
  );
  // A field shows the label of its choice as typed text: do not search for that.
  const asked = [...always, ...named].some(({ label }) => label === typed) ? '' : typed;
  const {
    data: fitting = [],
    isFetching,
    error,
  } = useQuery({
    ...found(finder, asked),
    placeholderData: keepPreviousData,
  });
  const standing = always.filter(({ label }) => label.toLowerCase().includes(asked.toLowerCase()));
  const data = new Map([...named, ...standing, ...fitting].map((choice) => [choice.value, choice]));
  return {
    data: [...data.values()],
    searchable: true as const,
    searchValue: text,
    onSearchChange: setText,
    filter,
    nothingFoundMessage: isFetching ? t('searching') : error === null ? t('no_results') : messageOf(error),
  };
}

interface FindProps {
  finder: Finder;
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  name?: string;
  withAsterisk?: boolean | undefined;
  placeholder?: string | undefined;
  onKeyDown?: KeyboardEventHandler;
}

interface FindOneProps extends FindProps {
  value: string | null;
  onChange: (value: string | null) => void;
  /** Choices that are always offered, above those found. */
  always?: readonly Choice[];
  clearable?: boolean;
  w?: number;
}

const nothing: readonly Choice[] = [];

/** A field to choose one by typing a part of its name. */
export function FindOne({ finder, value, always = nothing, clearable = true, ...field }: FindOneProps) {
  const search = useFinder(finder, value === null ? [] : [value], always);
  return (
    <Select
      {...field}
      {...search}
      value={value}
      clearable={clearable}
      allowDeselect={clearable}
      clearButtonProps={{ 'aria-label': t('clear_label', { label: field.label }) }}
    />
  );
}

interface FindSomeProps extends FindProps {
  value: string[];
  onChange: (value: string[]) => void;
}

/** A field to choose several by typing parts of their names. */
export function FindSome({ finder, value, ...field }: FindSomeProps) {
  const search = useFinder(finder, value, nothing);
  return (
    <MultiSelect
      {...field}
      {...search}
      value={value}
      clearable
      clearButtonProps={{ 'aria-label': t('clear_label', { label: field.label }) }}
    />
  );
}
