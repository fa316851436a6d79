/** CSV files: tables as RFC 4180 lines, safe to open in a spreadsheet program. All files are written alike (D-1069). */
import { stringify } from 'csv-stringify/sync';

/** The value of a cell. Null and undefined are written as an empty cell. */
export type Cell = string | number | bigint | boolean | null | undefined;

/** A column: the name of a row's member, or a name and a function that computes the cell. */
export type CsvColumn<T> = (keyof T & string) | readonly [name: string, cell: (row: T) => Cell];

/** A number is not changed, even if it begins with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/**
 * A sign that begins a formula, at the start of a cell or of what a spreadsheet may take for one: with European settings
 * a semicolon separates cells, and a pasted tab or line break does so everywhere. The full-width signs count in Japanese.
 * Apostrophes before the sign belong to it, so that no two texts are written alike (D-1110).
 */
const formula = /(^|[;\t\r\n])(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * The text of a cell. Buyers and merchants write these texts, so what a spreadsheet would run as a formula gets an
 * apostrophe in front.
 */
export function safeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  return plainNumber.test(text) ? text : text.replace(formula, "$1'");
}

/** The header line with the column names. It begins with a byte-order mark, which marks the file as UTF-8. */
export const csvHead = <T>(columns: readonly CsvColumn<T>[]): string =>
  stringify([columns.map((column) => (typeof column === 'string' ? column : column[0]))], {
    ...lines,
    bom: true,
  });

/** The lines of these rows. */
export const csvLines = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => safeCell(cellOf(column, row)))),
    lines,
  );

/** Every cell is quoted, so that no separator inside one ends it. */
const lines = { record_delimiter: 'windows', quoted: true, quoted_empty: true } as const;

const cellOf = <T>(column: CsvColumn<T>, row: T): Cell =>
  typeof column === 'string' ? (row[column] as Cell) : column[1](row);
