/** Counts what each key has sealed, and what derives from it. */
import { type Queryable, raw } from '../pg/index.ts';
import { derivedColumns, sealedColumns } from '../sealed-columns.ts';

/** How many values of a column need a key. */
export interface KeyCount {
  key_id: string;
  /** `seals`: the key opens them. `derives`: they are made from the key. */
  does: 'seals' | 'derives';
  /** As `table.column`. */
  place: string;
  values: number;
}

/** Counts the values of every column by their keys. Reads whole tables. */
export async function countKeys(db: Queryable): Promise<KeyCount[]> {
  const counts: KeyCount[] = [];
  for (const { table, column } of sealedColumns) {
    const key_id = `encode(substring(${column} FROM 2 FOR 4), 'hex')`;
    counts.push(...(await countColumn(db, { table, column, does: 'seals', key_id })));
  }
  for (const { table, column } of derivedColumns) {
    counts.push(...(await countColumn(db, { table, column, does: 'derives', key_id: column })));
  }
  return counts;
}

async function countColumn(
  db: Queryable,
  { table, column, does, key_id }: { table: string; column: string; does: KeyCount['does']; key_id: string },
): Promise<KeyCount[]> {
  const rows = await db.query<{ key_id: string; values: number }>(
    raw(`SELECT ${key_id} AS key_id, count(*)::int AS values FROM ${table}
      WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`),
  );
  return rows.map((row) => ({ ...row, does, place: `${table}.${column}` }));
}
