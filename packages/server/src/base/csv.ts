import { stringify } from 'csv-stringify/sync';

/** What a cell can hold; null and undefined leave it empty. */
export type Cell = string | number | bigint | boolean | null | undefined;

/** A column by the member that it shows, or by a name and what it shows. */
export type CsvColumn<T> = (keyof T & string) | readonly [name: string, cell: (row: T) => Cell];

/** Numbers stay numbers, whatever they begin with. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/**
 * A text as a cell. What a spreadsheet would take for a formula gets an apostrophe in front: buyers and merchants write
 * these texts.
 */
export function safeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  return /^[=+\-@\t\r\n]/.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The line of names that a table begins with (RFC 4180), told to be UTF-8 to programs that guess. */
export const csvHead = <T>(columns: readonly CsvColumn<T>[]): string =>
  stringify([columns.map((column) => (typeof column === 'string' ? column : column[0]))], {
    ...lines,
    bom: true,
  });

/** Rows as lines. */
export const csvLines = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => safeCell(cellOf(column, row)))),
    lines,
  );

const lines = { record_delimiter: 'windows' } as const;

const cellOf = <T>(column: CsvColumn<T>, row: T): Cell =>
  typeof column === 'string' ? (row[column] as Cell) : column[1](row);
