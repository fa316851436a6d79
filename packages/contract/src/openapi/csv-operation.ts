/** Derives the CSV download of a list from the call that lists it. */
import type { ErrorCode } from '../errors.ts';
import { limited } from './common-errors.ts';
import { exportLimit } from './rate-limits.ts';
import type { Operation } from './operation.ts';

/** Parameters of pages, which a file does not have. */
const ofPages = ['limit', 'cursor'];

/** The same list as a CSV file: with the same filters, and all items in one answer. */
export function asCsv(list: Operation, refusals: readonly ErrorCode[] = []): Operation {
  const { id, place, parameters = [], summary } = list;
  if (!('path' in place)) throw new TypeError(`${id} has no path of its own`);
  const narrowing = parameters.filter(({ name }) => !ofPages.includes(name));
  return {
    ...list,
    id: `${id}AsCsv`,
    place: { ...place, path: `${place.path}.csv` },
    summary: `${summary} as a file`,
    description:
      'The whole list with the same filters, as CSV (RFC 4180, UTF-8). A text that a spreadsheet would run as a ' +
      'formula gets a leading apostrophe.',
    parameters: narrowing,
    successes: [
      { status: 200, description: 'A header line with the column names, then one line per item.', csv: true },
    ],
    errors: [...list.errors, ...refusals, ...limited],
    limits: [exportLimit],
  };
}

/**
 * The operations, plus a CSV operation after each of the named lists.
 *
 * @param refusals further errors of the CSV operations
 */
export const withCsv = (
  operations: readonly Operation[],
  lists: readonly string[],
  refusals: readonly ErrorCode[] = [],
): Operation[] => operations.flatMap((one) => (lists.includes(one.id) ? [one, asCsv(one, refusals)] : [one]));
