/** Tables as CSV files. */
/** A column of a table that is saved as a file. */
export interface CsvColumn<T> {
  header: string;
  text: (row: T) => string;
}

/**
 * A table as CSV (RFC 4180). Buyers and merchants write the texts, so a text that a spreadsheet would run as a
 * formula gets an apostrophe in front.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(text: string): string {
  // A plain number may begin with a minus.
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Offers a text to the browser as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
