import { limited } from './common-errors.ts';
import { exportLimit } from './limits.ts';
import type { Operation } from './operation.ts';

/** Parts of a page, which a file has none of. */
const ofPages = ['limit', 'cursor'];

/** The same list as a file: the same filters, and everything at once, sent while it is read. */
export function asCsv(list: Operation): Operation {
  const { id, place, parameters = [], summary } = list;
  if (!('path' in place)) throw new TypeError(`${id} has no path of its own`);
  const narrowing = parameters.filter(({ name }) => !ofPages.includes(name));
  return {
    ...list,
    id: `${id}AsCsv`,
    place: { ...place, path: `${place.path}.csv` },
    summary: `${summary} as a file`,
    description:
      'The whole list under the same filters, as CSV (RFC 4180, UTF-8). Texts that a spreadsheet would compute have an ' +
      'apostrophe in front.',
    parameters: narrowing,
    successes: [{ status: 200, description: 'The names of the columns, and a line for each.', csv: true }],
    errors: [...list.errors, ...limited],
    limits: [exportLimit],
  };
}

/** A document's calls, those of these lists also as files, each behind its list. */
export const withCsv = (operations: readonly Operation[], lists: readonly string[]): Operation[] =>
  operations.flatMap((one) => (lists.includes(one.id) ? [one, asCsv(one)] : [one]));
