import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

/** Finds what can be chosen among more than anybody would look through. */
export interface Finder {
  /** What is chosen among: distinct of every finder. */
  name: string;
  /**
   * The first few that fit a text, or of all where it is empty. The value of a choice finds that choice.
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

// The service has judged what fits.
const filter: OptionsFilter = ({ options }) => options;

/** What a service finds for what is typed, beside what is chosen already and what always stands there. */
function useFinder(finder: Finder, chosen: readonly string[], always: readonly Choice[]) {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 250);
  const unknown = chosen.filter((value) => always.every((choice) => choice.value !== value));
  const named = useQueries({ queries: unknown.map((value) => found(finder, value)) }).flatMap(
    ({ data = [] }, at) => data.filter(({ value }) => value === unknown[at]),
  );
  // A field that shows what was chosen in it is not searched for that.
  const asked = [...always, ...named].some(({ label }) => label === typed) ? '' : typed;
  const { data: fitting = [], isFetching } = useQuery({
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
    nothingFoundMessage: isFetching ? 'Looking …' : 'Nothing fits.',
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
}

interface FindOneProps extends FindProps {
  value: string | null;
  onChange: (value: string | null) => void;
  /** Stands above what is found. */
  always?: readonly Choice[];
  clearable?: boolean;
  w?: number;
}

const nothing: readonly Choice[] = [];

/** A field to choose one by typing a part of what it is called. */
export function FindOne({ finder, value, always = nothing, clearable = true, ...field }: FindOneProps) {
  const search = useFinder(finder, value === null ? [] : [value], always);
  return (
    <Select
      {...field}
      {...search}
      value={value}
      clearable={clearable}
      allowDeselect={clearable}
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
    />
  );
}

interface FindSomeProps extends FindProps {
  value: string[];
  onChange: (value: string[]) => void;
}

/** The same for several. */
export function FindSome({ finder, value, ...field }: FindSomeProps) {
  const search = useFinder(finder, value, nothing);
  return (
    <MultiSelect
      {...field}
      {...search}
      value={value}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
    />
  );
}
