/** The button of a console's search: Ctrl+K, or `/` outside of a field (D-406). The search is loaded when it is opened. */
import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Hint } from '../components/values/hint.tsx';
import { textsOf } from '../texts/texts.ts';
import { useLoaded } from './load-later.ts';
import type { SearchProps } from './search.tsx';

const t = textsOf('core');

const load = () => import('./search.tsx');

export function SearchBox(props: Omit<SearchProps, 'asked'>) {
  // Counts how often the search was asked for.
  const [asked, setAsked] = useState(0);
  const search = useLoaded(load, asked > 0);
  const ask = (): void => setAsked((count) => count + 1);
  // An open layer keeps the keyboard: the search does not open above it.
  const askByKey = (): void => {
    const layers = [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')];
    if (!layers.some((one) => one.checkVisibility())) ask();
  };
  // In a field, `/` is what it is elsewhere.
  useHotkeys([['/', askByKey]]);
  useHotkeys([['mod+K', askByKey]], []);
  return (
    <>
      <Hint label={t('search_ctrl_k_or')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('search')}
          aria-haspopup="dialog"
          onClick={ask}
        >
          <IconSearch size={18} stroke={1.7} />
        </ActionIcon>
      </Hint>
      {search && <search.Search {...props} asked={asked} />}
    </>
  );
}
