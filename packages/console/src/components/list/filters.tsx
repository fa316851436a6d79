/** The filters above a list. Their values are parameters of the page's address. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCalendar, IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type Finder, FindOne } from '../dialog/finder.tsx';
import { useView } from './view-state.ts';

export type Filter =
  | { kind: 'search'; name: string; label: string; placeholder?: string }
  | {
      kind: 'choice';
      name: string;
      label: string;
      choices: readonly (readonly [value: string, label: string])[];
      /** The value if nothing is chosen; all values if this is left out. */
      initial?: string | undefined;
    }
  | {
      /** A choice among more than could be listed. */
      kind: 'found';
      name: string;
      label: string;
      finder: Finder;
      /** Choices above those found; the first is the value if nothing is chosen. */
      always?: readonly { value: string; label: string }[];
    }
  | { kind: 'period'; from: string; until: string; label: string };

/** The filters of a list. */
export function Filters({ filters }: { filters: readonly Filter[] }) {
  const [view, change] = useView();
  const names = filters.flatMap((one) => (one.kind === 'period' ? [one.from, one.until] : [one.name]));
  const isNarrowed = names.some((name) => view[name] !== undefined);
  return (
    <Group gap="sm" align="flex-end" role="search">
      {filters.map((one) => (
        <OneFilter key={one.kind === 'period' ? one.from : one.name} filter={one} />
      ))}
      {isNarrowed && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={15} />}
          onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

function OneFilter({ filter }: { filter: Filter }) {
  const [view, change] = useView();
  if (filter.kind === 'search')
    return <Search key={String(view[filter.name] === undefined)} filter={filter} />;
  if (filter.kind === 'choice') {
    return (
      <Select
        label={filter.label}
        placeholder="All"
        data={filter.choices.map(([value, label]) => ({ value, label }))}
        value={view[filter.name] ?? filter.initial ?? null}
        onChange={(value) => change({ [filter.name]: value ?? '' })}
        clearable={filter.initial === undefined}
        allowDeselect={filter.initial === undefined}
        searchable={filter.choices.length > 8}
        clearButtonProps={{ 'aria-label': `Clear ${filter.label}` }}
        w={190}
      />
    );
  }
  if (filter.kind === 'found') {
    const [initial] = filter.always ?? [];
    return (
      <FindOne
        finder={filter.finder}
        label={filter.label}
        placeholder="All"
        always={filter.always}
        value={view[filter.name] ?? initial?.value ?? null}
        onChange={(value) => change({ [filter.name]: value ?? '' })}
        clearable={initial === undefined}
        w={230}
      />
    );
  }
  return (
    <DatePickerInput
      type="range"
      label={filter.label}
      placeholder="Any time"
      leftSection={<IconCalendar size={16} />}
      valueFormat="D MMM YYYY"
      value={[view[filter.from]?.slice(0, 10) ?? null, view[filter.until]?.slice(0, 10) ?? null]}
      onChange={([from, until]) => change({ [filter.from]: from ?? '', [filter.until]: until ?? '' })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${filter.label}` }}
      w={250}
    />
  );
}

/** Waits for a pause in typing before it filters. */
function Search({ filter }: { filter: Filter & { kind: 'search' } }) {
  const [view, change] = useView();
  const [text, setText] = useState(view[filter.name] ?? '');
  const narrow = useDebouncedCallback((value: string) => change({ [filter.name]: value.trim() }), 300);
  return (
    <TextInput
      label={filter.label}
      placeholder={filter.placeholder}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        narrow(event.currentTarget.value);
      }}
      w={{ base: '100%', xs: 280 }}
    />
  );
}

/** The instant at which a day begins in the viewer's zone, or at which the next day begins. */
export function instantOf(day: string | undefined, edge: 'from' | 'until'): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (edge === 'until' ? 1 : 0)).toISOString();
}
