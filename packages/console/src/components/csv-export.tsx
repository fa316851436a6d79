import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import type { List } from '../api/list.ts';
import { csvOf, download } from '../csv.ts';

export interface CsvColumn<T> {
  header: string;
  text: (row: T) => string;
}

interface CsvExportProps<T> {
  list: List<T>;
  columns: readonly CsvColumn<T>[];
  /** The file's name, without its ending. */
  file: string;
}

/** Saves a whole list, narrowed as it is shown, as a file. Says how far it is, and can be stopped. */
export function CsvExport<T>({ list, columns, file }: CsvExportProps<T>) {
  const [count, setCount] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  async function save(): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setCount(0);
    try {
      const rows = await list.loadAll(setCount, stop.signal);
      const table = rows.map((row) => columns.map(({ text }) => text(row)));
      download(`${file}.csv`, csvOf([columns.map(({ header }) => header), ...table]));
    } catch (error) {
      if (!stop.signal.aborted) {
        notifications.show({ color: 'red', title: 'Not exported', message: messageOf(error) });
      }
    } finally {
      setCount(null);
    }
  }

  return count === null ? (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
      Export CSV
    </Button>
  ) : (
    <Button variant="default" color="red" onClick={() => running.current?.abort()}>
      {count} rows … stop
    </Button>
  );
}
