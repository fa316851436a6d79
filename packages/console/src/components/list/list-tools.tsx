/** The tools between a list's filters and its table: the number of results, the sort, the columns and the views. */
import { Group, Select, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';
import { useView } from './view-state.ts';

const t = textsOf('core');

interface ListToolsProps {
  count: Pick<UseQueryResult<{ count: number; more: boolean }>, 'data'>;
  /** The sorts of the list; the first is used if none is chosen. */
  sorts: readonly (readonly [value: string, label: string])[];
  children: ReactNode;
}

export function ListTools({ count, sorts, children }: ListToolsProps) {
  const [view, change] = useView();
  const [first] = sorts;
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {count.data === undefined ? ' ' : countText(count.data)}
      </Text>
      <Group gap="xs">
        <Select
          aria-label={t('sort')}
          size="xs"
          w={170}
          data={sorts.map(([value, label]) => ({ value, label }))}
          value={view.sort ?? first?.[0] ?? null}
          onChange={(value) => change({ sort: value === null || value === first?.[0] ? '' : value })}
          allowDeselect={false}
        />
        {children}
      </Group>
    </Group>
  );
}

/** `1 result`, `250 results`, `10,000+ results`. */
function countText({ count, more }: { count: number; more: boolean }): string {
  return more ? t('more_than_results', { number: numberText(count) }) : t('count_results', { count });
}
