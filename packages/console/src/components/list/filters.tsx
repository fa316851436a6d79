/** The filters above a list. Their values are parameters of the page's address. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { typedAmount } from '../../money/typed-amount.ts';
import { type Finder, FindOne } from '../dialog/finder.tsx';
import { periodNames } from './period.ts';
import { PeriodFilter } from './period-filter.tsx';
import { searchedText } from './searched-text.ts';
import { useView } from './view-state.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

export type Filter =
  | { kind: 'search'; name: string; label: string; placeholder?: string }
  /** An amount as a decimal text; shown while `needs` is chosen. */
  | { kind: 'amount'; name: string; label: string; needs: string }
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
  /** A span of time, in the parameters `period`, `from` and `until`. */
  | { kind: 'period'; label: string };

const namesOf = (filters: readonly Filter[]): readonly string[] =>
  filters.flatMap((one) => (one.kind === 'period' ? [...periodNames] : [one.name]));

const none: readonly Filter[] = [];

/**
 * The filters of a list.
 *
 * @param label tells several lists of a page apart, for screen readers
 * @param more those that few people need: shown on demand, and while one of them is set
 */
export function Filters({
  filters,
  more = none,
  label,
}: {
  filters: readonly Filter[];
  more?: readonly Filter[];
  label?: string;
}) {
  const [view, change] = useView();
  const [opened, { toggle }] = useDisclosure(false);
  const names = namesOf([...filters, ...more]);
  const isNarrowed = names.some((name) => view[name] !== undefined);
  const isInUse = namesOf(more).some((name) => view[name] !== undefined);
  const shown = opened || isInUse ? [...filters, ...more] : filters;
  const group = useRef<HTMLDivElement>(null);
  return (
    <Group ref={group} tabIndex={-1} gap="sm" align="flex-end" role="search" aria-label={label}>
      {shown
        .filter((one) => one.kind !== 'amount' || view[one.needs] !== undefined)
        .map((one) => (
          <OneFilter key={one.kind === 'period' ? one.kind : one.name} filter={one} />
        ))}
      {more.length > 0 && !isInUse && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={opened}
          onClick={toggle}
        >
          {opened ? t('fewer_filters') : t('more_filters')}
        </Button>
      )}
      {isNarrowed && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={15} />}
          onClick={() => {
            // The button goes. A field would open the keyboard of a phone.
            group.current?.focus();
            change(Object.fromEntries(names.map((name) => [name, ''])));
          }}
        >
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}

function OneFilter({ filter }: { filter: Filter }) {
  const [view, change] = useView();
  if (filter.kind === 'search' || filter.kind === 'amount') return <Typed filter={filter} />;
  if (filter.kind === 'choice') {
    return (
      <Select
        label={filter.label}
        placeholder={t('all')}
        data={filter.choices.map(([value, label]) => ({ value, label }))}
        value={view[filter.name] ?? filter.initial ?? null}
        onChange={(value) => change({ [filter.name]: value ?? '' })}
        clearable={filter.initial === undefined}
        allowDeselect={filter.initial === undefined}
        searchable={filter.choices.length > 8}
        clearButtonProps={{ 'aria-label': t('clear_label', { label: filter.label }) }}
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
        placeholder={t('all')}
        always={filter.always}
        value={view[filter.name] ?? initial?.value ?? null}
        onChange={(value) => change({ [filter.name]: value ?? '' })}
        clearable={initial === undefined}
        w={230}
      />
    );
  }
  return <PeriodFilter label={filter.label} />;
}

/** An amount as people type it, with the point that the service takes; null if it is none (D-534). */
const amountTyped = (text: string): string | null => {
  const amount = typedAmount(text);
  return /^(\d+(\.\d{1,8})?)?$/.test(amount) ? amount : null;
};

/**
 * Waits for a pause in typing before it filters. What is no amount is said at its field, and filters nothing. The text
 * follows the address only while the field does not have the focus, so that no key is lost while a person types on.
 */
function Typed({ filter }: { filter: Filter & { kind: 'search' | 'amount' } }) {
  const [view, change] = useView();
  const value = view[filter.name] ?? '';
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  const valueOf = filter.kind === 'amount' ? amountTyped : searchedText;
  const narrow = useDebouncedCallback((typed: string) => {
    const next = valueOf(typed);
    if (next !== null) change({ [filter.name]: next });
  }, 300);
  return (
    <TextInput
      ref={input}
      label={filter.label}
      {...(filter.kind === 'search'
        ? {
            placeholder: filter.placeholder,
            leftSection: <IconSearch size={16} />,
            w: { base: '100%', xs: 370 },
          }
        : { inputMode: 'decimal' as const, w: 140 })}
      value={text}
      error={valueOf(text) === null ? t('enter_an_amount_with_at_most') : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        narrow(event.currentTarget.value);
      }}
    />
  );
}
