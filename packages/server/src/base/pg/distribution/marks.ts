/**
 * Decides where the tables of a distributed database go: what their marks ask for, and what is still to do (D-300).
 * Pure.
 */
import { SchemaError } from '../schema/schema-error.ts';

/** The marks, which migrations set as comments of tables, each with the column that its rows are distributed by. */
const columns: ReadonlyMap<string, string | null> = new Map([
  ['by merchant_id', 'merchant_id'],
  ['by user_id', 'user_id'],
  ['on every node', null],
]);

/** A table of the schema. */
export interface MarkedTable {
  table: string;
  /** Its comment; null without one. */
  mark: string | null;
  /** The mark that tells where it is now; null for a table of one server. */
  placed: string | null;
}

/** A table to place. */
export interface Placement {
  table: string;
  mark: string;
  /** The column that its rows are distributed by; null: every node has the whole table. */
  column: string | null;
  /** An earlier table whose rows are stored together with its rows; null for the first of its column. */
  beside: string | null;
}

/**
 * The tables that still have to be placed, in this order: tables with the same column go beside the first of them.
 *
 * @throws SchemaError if a table has no mark, or is not where its mark says
 */
export function placementsOf(tables: readonly MarkedTable[]): Placement[] {
  const firsts = new Map<string, string>();
  for (const { table, placed } of tables) {
    if (placed !== null && !firsts.has(placed)) firsts.set(placed, table);
  }
  return tables.flatMap(({ table, mark, placed }): Placement[] => {
    const column = mark === null ? undefined : columns.get(mark);
    if (mark === null || column === undefined) {
      throw new SchemaError(
        `The table ${table} does not say where a distributed database keeps it: a migration must set its comment to one of "${[...columns.keys()].join('", "')}".`,
      );
    }
    if (placed !== null && placed !== mark) {
      throw new SchemaError(`The table ${table} lies ${placed}, and must lie ${mark}.`);
    }
    if (placed !== null) return [];
    const beside = column === null ? null : (firsts.get(mark) ?? null);
    if (beside === null) firsts.set(mark, table);
    return [{ table, mark, column, beside }];
  });
}

/** Whether some tables are distributed already. */
export const isBegun = (tables: readonly MarkedTable[]): boolean =>
  tables.some(({ placed }) => placed !== null);
