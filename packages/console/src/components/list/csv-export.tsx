import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf, type Query } from '../../api/call.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface CsvExportProps {
  /** The path of the list, without `.csv`. */
  path: string;
  /** The filters of the list. */
  query?: Query;
}

/**
 * Saves a whole list, filtered as it is shown, as a file. The service writes the file while the browser downloads it.
 */
export const CsvExport = ({ path, query = {} }: CsvExportProps) => (
  <Button
    component="a"
    href={addressOf(`${path}.csv`, query)}
    download
    variant="default"
    leftSection={<IconDownload size={16} />}
  >
    {t('export_csv')}
  </Button>
);
