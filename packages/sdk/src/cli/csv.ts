/** Reads CSV (RFC 4180): a header line, quoted fields, CRLF or LF, a comma or a semicolon between fields. */

/**
 * The lines as objects by their column, trimmed names.
 *
 * @throws {SyntaxError} names the line that is not CSV
 */
export function parseCsv(text: string): Record<string, string>[] {
  const clean = text.replace(/^\uFEFF/, '');
  const separator = /^[^\n,;]*;/.test(clean) ? ';' : ',';
  const [header = [], ...rows] = rowsOf(clean, separator);
  const names = header.map((name) => name.trim());
  return rows
    .filter((row) => row.length > 1 || row[0] !== '')
    .map((row, i) => {
      if (row.length !== names.length) {
        throw new SyntaxError(`line ${i + 2} has ${row.length} fields, and the header has ${names.length}`);
      }
      return Object.fromEntries(row.map((field, column) => [names[column] ?? '', field]));
    });
}

function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  // A field, quoted or not, and what ends it.
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y');
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (found === null) throw new SyntaxError(`line ${rows.length} is not CSV`);
    const [, quoted, plain = '', end = ''] = found;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) {
      if (field.lastIndex === text.length) rows.at(-1)?.push('');
      continue;
    }
    if (end === '') break;
    if (field.lastIndex < text.length) rows.push([]);
  }
  return rows;
}
