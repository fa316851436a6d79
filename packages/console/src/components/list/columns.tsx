/** Which columns a list shows: kept in the address as `columns`. */
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Column } from './data-table.tsx';
import { useView, type View } from './view-state.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** A column that a person can show or hide. */
export interface ChosenColumn<T> extends Column<T> {
  /** Its name in the address. */
  key: string;
  /** Whether it is hidden until it is chosen. */
  hidden?: boolean;
}

/** The names of the columns that an address shows, in the order of the list. The first is always there. */
const shownKeys = <T,>(columns: readonly ChosenColumn<T>[], view: View): readonly string[] => {
  const chosen = view.columns?.split(',');
  return columns.flatMap(({ key, hidden = false }, at) =>
    at === 0 || (chosen === undefined ? !hidden : chosen.includes(key)) ? [key] : [],
  );
};

export const shownColumns = <T,>(columns: readonly ChosenColumn<T>[], view: View): ChosenColumn<T>[] => {
  const keys = shownKeys(columns, view);
  return columns.filter(({ key }) => keys.includes(key));
};

/** A menu of the columns. */
export function ColumnMenu<T>({ columns }: { columns: readonly ChosenColumn<T>[] }) {
  const [view, change] = useView();
  const usual = shownKeys(columns, {}).join(',');
  return (
    <Popover position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" visibleFrom="xs" leftSection={<IconColumns3 size={15} />}>
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Checkbox.Group
          value={[...shownKeys(columns, view)]}
          onChange={(keys) => {
            const chosen = columns.flatMap(({ key }) => (keys.includes(key) ? [key] : [])).join(',');
            change({ columns: chosen === usual ? '' : chosen });
          }}
        >
          <Stack gap="xs">
            {columns.map(({ key, header }, at) => (
              <Checkbox key={key} value={key} label={header} disabled={at === 0} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
