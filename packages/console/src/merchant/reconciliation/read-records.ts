/** Reads the records of a merchant from a CSV file. */
import type { OwnRecord } from '@paydesk/sdk/reconcile';
import { parse } from 'csv-parse/browser/esm/sync';
import { textsOf } from '../../texts/texts.ts';
import { withoutApostrophes } from './csv.ts';

const t = textsOf('wallet');

/** The records of a file, or why it could not be read. */
export type Read = { records: OwnRecord[] } | { problem: string };

/** The headers that each column may have. */
const names: Record<
  'external_reference' | 'amount' | 'currency' | 'status' | 'event_id' | 'order_no',
  readonly string[]
> = {
  external_reference: ['external_reference', 'reference', 'order', 'invoice', 'your_reference'],
  amount: ['amount', 'total', 'value'],
  currency: ['currency', 'ccy'],
  status: ['status', 'state'],
  event_id: ['event_id', 'event'],
  order_no: ['order_no', 'order_number'],
};
type Name = keyof typeof names;

const known = ['pending', 'paid', 'expired', 'review', 'refunded', 'chargeback'] as const;
const isStatus = (text: string): text is (typeof known)[number] =>
  (known as readonly string[]).includes(text);

/**
 * Reads a merchant's own records from CSV with a header line; the delimiter is a comma, a semicolon or a tab.
 * Reference, amount and currency are required; a record without a status counts as paid.
 */
export function readRecords(text: string): Read {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, {
      bom: true,
      columns: (line: string[]) =>
        line.map((name) =>
          name
            .trim()
            .toLowerCase()
            .replaceAll(/[\s-]+/g, '_'),
        ),
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : t('the_file_is_not_valid_csv') };
  }
  const [first] = rows;
  if (first === undefined) return { problem: t('there_are_no_records_below_the') };
  const columns = new Map(
    (Object.keys(names) as Name[]).flatMap((name) => {
      const column = names[name].find((candidate) => candidate in first);
      return column === undefined ? [] : [[name, column] as const];
    }),
  );
  const missing = (['external_reference', 'amount', 'currency'] as const).filter(
    (name) => !columns.has(name),
  );
  if (missing.length > 0)
    return { problem: t('these_columns_are_missing_missing', { missing: missing.join(', ') }) };
  const cell = (row: Record<string, string>, name: Name): string => row[columns.get(name) ?? ''] ?? '';
  const records: OwnRecord[] = [];
  for (const [index, row] of rows.entries()) {
    const status = cell(row, 'status').toLowerCase() || 'paid';
    if (!isStatus(status))
      return {
        problem: t('line_part_the_status_status_is', { part: index + 2, status, known: known.join(', ') }),
      };
    records.push({
      external_reference: withoutApostrophes(cell(row, 'external_reference')),
      amount: cell(row, 'amount'),
      currency: cell(row, 'currency').toUpperCase(),
      status,
      event_id: cell(row, 'event_id') || null,
      order_no: cell(row, 'order_no') || null,
    });
  }
  return { records };
}

/** The delimiter that the header line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const counted = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const);
  return counted.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
