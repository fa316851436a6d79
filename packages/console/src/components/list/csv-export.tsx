import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf, type Query } from '../../api/call.ts';

interface CsvExportProps {
  /** The list's own address, as it is called without the export. */
  path: string;
  /** What it is narrowed to. */
  query?: Query;
}

/** Saves a whole list, narrowed as it is shown, as a file: the service writes it while the browser takes it. */
export const CsvExport = ({ path, query = {} }: CsvExportProps) => (
  <Button
    component="a"
    href={addressOf(`${path}.csv`, query)}
    download
    variant="default"
    leftSection={<IconDownload size={16} />}
  >
    Export CSV
  </Button>
);
