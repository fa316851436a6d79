/**
 * The search of a console: what is typed is looked for at once, and opened by pointer or keyboard (D-227, D-406). The
 * focus stays in the field, which tells a screen reader the chosen result (D-1311).
 */
import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import type { components } from '../api/client.ts';
import { searchedText } from '../components/list/searched-text.ts';
import { words } from '../components/values/status.tsx';
import { timeText } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

export type Found = components['schemas']['Found']['items'][number];

export interface SearchProps {
  /** Names the search among the queries. */
  name: readonly string[];
  placeholder: string;
  /** What can be found, in the order in which it is shown. */
  groups: readonly (readonly [kind: Found['kind'], label: string, mark: ReactNode])[];
  /** Throws ApiError. */
  find: (text: string, signal: AbortSignal) => Promise<{ items: readonly Found[] }>;
  open: (found: Found) => void;
  /** Opens the search each time it changes. */
  asked: number;
}

const none: readonly Found[] = [];

export function Search({ name, placeholder, groups, find, open, asked }: SearchProps) {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(searchedText(text), 200);
  useEffect(() => spotlight.open(), [asked]);
  const search = useQuery({
    queryKey: [...name, 'search', typed],
    queryFn: ({ signal }) => find(typed, signal),
    enabled: typed.length >= 2,
    placeholderData: keepPreviousData,
  });
  const items = typed.length < 2 ? none : (search.data?.items ?? none);
  const shown = groups.flatMap(([kind]) => items.filter((one) => one.kind === kind));
  const first = shown[0];
  const [chosen, look] = useChosen(items, text);
  // The keys choose among the results; without a choice, Enter opens the first one.
  const openFirst = (event: KeyboardEvent): void => {
    const isCurrent = first !== undefined && typed === searchedText(text) && !search.isPlaceholderData;
    look();
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || chosenResult() !== null || !isCurrent)
      return;
    spotlight.close();
    open(first);
  };
  const nothing = search.isError
    ? messageOf(search.error)
    : typed.length < 2
      ? t('type_at_least_two_characters_part')
      : search.isFetching
        ? t('searching')
        : t('no_results');
  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('search') } }}
      query={text}
      onQueryChange={setText}
      // The button listens for the keys.
      shortcut={null}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder={placeholder}
        aria-label={t('search')}
        role="combobox"
        aria-expanded={first !== undefined}
        aria-controls={results}
        aria-activedescendant={chosen}
        onKeyDown={openFirst}
        leftSection={<IconSearch size={18} stroke={1.7} />}
      />
      <Spotlight.ActionsList
        id={results}
        {...(first !== undefined && { role: 'listbox', 'aria-label': t('search') })}
      >
        {groups.map(([kind, label, mark]) => {
          const found = shown.filter((one) => one.kind === kind);
          return found.length === 0 ? null : (
            <Spotlight.ActionsGroup key={kind} label={label} role="group" aria-label={label}>
              {found.map((one) => (
                <Spotlight.Action
                  key={`${one.merchant_no ?? ''} ${one.id}`}
                  // The component keeps an `id` to itself.
                  renderRoot={(button) => <button {...button} id={resultId(one)} />}
                  role="option"
                  aria-selected={resultId(one) === chosen}
                  label={one.title}
                  description={described(one)}
                  leftSection={mark}
                  onClick={() => open(one)}
                />
              ))}
            </Spotlight.ActionsGroup>
          );
        })}
        {first === undefined && <Spotlight.Empty aria-hidden>{nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Told>{first === undefined ? nothing : ''}</Told>
    </Spotlight.Root>
  );
}

/** Readers tell what changes in a part that was there before (D-1352). */
const Told = ({ children }: { children: string }) => (
  <VisuallyHidden role="status">{children}</VisuallyHidden>
);

const results = 'search-results';
const resultId = ({ merchant_no = '', id }: Found): string =>
  encodeURIComponent(`${results} ${merchant_no} ${id}`);

const chosenResult = (): Element | null => document.querySelector('.mantine-Spotlight-action[data-selected]');

/**
 * The id of the chosen result, and a function that reads it again: the component only marks the result in the page. It
 * chooses the first one each time the text changes, also if the results stay the same.
 */
function useChosen(items: readonly Found[], text: string) {
  const [chosen, setChosen] = useState<string>();
  // The component marks it after it has called for a key.
  const look = useCallback(() => queueMicrotask(() => setChosen(chosenResult()?.id)), []);
  useEffect(look, [items, text, look]);
  return [chosen, look] as const;
}

/** How people tell results apart: the status in words, and the time in the usual form (D-533). */
export const described = ({ status, about, at }: Found): string =>
  [...(status === undefined ? [] : [words(status)]), about, ...(at === undefined ? [] : [timeText(at)])].join(
    ' · ',
  );
