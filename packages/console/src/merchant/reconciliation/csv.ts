/** Tables as CSV files. */
/** A column of a table that is saved as a file. */
export interface CsvColumn<T> {
  header: string;
  text: (row: T) => string;
}

/** What the service writes an apostrophe after, in its own files (D-1069, D-1110). */
const formula = /(^|[;\t\r\n])(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * A table as CSV, as the service writes its own: RFC 4180 with a byte order mark and every cell quoted. Buyers and merchants
 * write the texts, so what a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')}`;
}

function field(text: string): string {
  // A plain number may begin with a minus.
  const safe = /^-?\d+(\.\d+)?$/.test(text) ? text : text.replace(formula, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A text of such a file as it was. */
export const withoutApostrophes = (text: string): string =>
  text.replace(/(^|[;\t\r\n])'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, '$1');

/** Offers a text to the browser as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
