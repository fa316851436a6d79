/** The part of a product that is a list of rows, such as tiers: edited one by one, saved together. */
import { ActionIcon, Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ProductChange } from '../../api/products.ts';
import { Panel } from '../../components/page/panel.tsx';
import { type Save, useSave } from './use-save.ts';

interface RowsPanelProps<Row> {
  title: string;
  about: string;
  /** The name of one row, and of all: `question`, `questions`. */
  one: string;
  all: string;
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
}

export function RowsPanel<Row>(props: RowsPanelProps<Row>) {
  const { title, about, all, changed, save, beside } = props;
  const saving = useSave(save);
  const rows = <Rows {...props} problem={saving.problem} />;
  return (
    <Panel
      title={title}
      about={about}
      actions={
        save !== null && (
          <Button
            disabled={changed === null}
            loading={saving.isPending}
            onClick={() => changed !== null && saving.mutate(changed)}
          >
            Save the {all}
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
  'one' | 'nothing' | 'rows' | 'setRows' | 'fresh' | 'children' | 'nowrap'
> & { problem: string | null };

function Rows<Row>({ one, nothing, rows, setRows, fresh, children, nowrap, problem }: RowsProps<Row>) {
  return (
    <Stack gap="xs">
      {problem !== null && (
        <Alert color="red" role="alert" title="Not saved">
          {problem}
        </Alert>
      )}
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
            aria-label={`Remove ${one} ${index + 1}`}
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
          Add a {one}
        </Button>
      </div>
    </Stack>
  );
}
