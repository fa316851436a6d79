/** The part of a product that is a list of rows, such as tiers: edited one by one, saved together. */
import { ActionIcon, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ProductChange } from '../../api/products.ts';
import { Overtaken } from '../../components/page/draft.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Refused } from '../../components/page/refused.tsx';
import { type Save, useSave } from './use-save.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

interface RowsPanelProps<Row> {
  title: string;
  about: string;
  /** The name of one row, and the buttons that add one and save all. */
  name: string;
  add: string;
  saveAll: string;
  /** The text if there are no rows. */
  nothing: string;
  rows: readonly Row[];
  setRows: (rows: readonly Row[]) => void;
  /** The values of a new row. */
  fresh: Row;
  /** The inputs of a row. */
  children: (row: Row, change: (row: Row) => void) => ReactNode;
  /** Whether the inputs of a row stay in one line on a phone. */
  nowrap?: boolean;
  /** Shown beside the rows: what they result in. */
  beside?: ReactNode;
  /** The change to save; null if nothing has changed. */
  changed: ProductChange | null;
  save: Save | null;
  isOvertaken: boolean;
  /** The rows are stored now. */
  reset: () => void;
}

export function RowsPanel<Row>(props: RowsPanelProps<Row>) {
  const { title, about, saveAll, changed, save, beside, isOvertaken, reset } = props;
  const saving = useSave(save);
  const rows = (
    <Rows
      {...props}
      isOvertaken={isOvertaken && changed !== null && !saving.isPending}
      error={saving.error}
    />
  );
  return (
    <Panel
      title={title}
      about={about}
      unsent={changed !== null}
      actions={
        save !== null && (
          <Button
            disabled={changed === null}
            loading={saving.isPending}
            onClick={() => changed !== null && saving.mutate(changed, { onSuccess: reset })}
          >
            {saveAll}
          </Button>
        )
      }
    >
      {beside === undefined ? (
        rows
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
          {rows}
          {beside}
        </SimpleGrid>
      )}
    </Panel>
  );
}

type RowsProps<Row> = Pick<
  RowsPanelProps<Row>,
  'name' | 'add' | 'nothing' | 'rows' | 'setRows' | 'fresh' | 'children' | 'nowrap' | 'isOvertaken'
> & { error: Error | null };

function Rows<Row>(props: RowsProps<Row>) {
  const { name, add, nothing, rows, setRows, fresh, children, nowrap, isOvertaken, error } = props;
  return (
    <Stack gap="xs">
      {isOvertaken && <Overtaken />}
      {error !== null && <Refused title={t('the_changes_were_not_saved')} error={error} />}
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
      {rows.map((row, index) => (
        <Group key={index} gap="xs" align="flex-end" wrap={nowrap === true ? 'nowrap' : 'wrap'}>
          {children(row, (next) => setRows(rows.with(index, next)))}
          <ActionIcon
            variant="subtle"
            color="red"
            mb={6}
            aria-label={t('remove_name_row', { name, row: index + 1 })}
            onClick={() => setRows(rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setRows([...rows, fresh])}
        >
          {add}
        </Button>
      </div>
    </Stack>
  );
}
