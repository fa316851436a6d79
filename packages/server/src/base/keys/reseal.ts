/**
 * Seals every value again under the first secret key, bound to its row, while the service runs. Invariant: a value is
 * replaced only by a seal of the same text, and only if it is still the value that was read. A resealed value is not
 * read again, so an interrupted run continues where it stopped.
 */
import { type Database, join, raw, type Row, sql, type Tx } from '../pg/index.ts';
import { type SealedColumn, sealedColumns } from '../sealed-columns.ts';
import { headOf, type SecretBox, SecretError } from '../secret-box.ts';

/** What was done with a column. */
export interface ResealReport {
  /** As `table.column`. */
  place: string;
  resealed: number;
  /** The values that did not open, with why. They stay as they are. */
  failures: string[];
}

/** Rows that are read at a time, unless the caller says otherwise. */
const usualBatchSize = 500;
/** Rows that are written at the same time, each in its own transaction. */
const lanes = 4;

/**
 * Seals each value again that the first key has not sealed for its row.
 *
 * @param told gets the report of each column with old values
 */
export async function reseal(
  db: Database,
  box: SecretBox,
  told: (report: ResealReport) => void,
  batch_size = usualBatchSize,
): Promise<void> {
  for (const column of sealedColumns) {
    const report = await resealColumn(db, box, column, batch_size);
    if (report.resealed > 0 || report.failures.length > 0) told(report);
  }
}

interface OldValue extends Row {
  value: Buffer;
}

async function resealColumn(
  db: Database,
  box: SecretBox,
  column: SealedColumn,
  batch_size: number,
): Promise<ResealReport> {
  const report: ResealReport = { place: `${column.table}.${column.column}`, resealed: 0, failures: [] };
  let after: OldValue | null = null;
  for (;;) {
    const batch: OldValue[] = await selectOld(db, column, {
      head: headOf(box.key_id),
      after,
      limit: batch_size,
    });
    for (let i = 0; i < batch.length; i += lanes) {
      const group = batch.slice(i, i + lanes);
      const ends = await Promise.all(group.map((row) => resealOrExplain(db, box, column, row)));
      for (const end of ends) {
        if (typeof end === 'string') report.failures.push(end);
        else if (end) report.resealed += 1;
      }
    }
    after = batch.at(-1) ?? null;
    if (batch.length < batch_size) return report;
  }
}

/** The next values that have another seal, in the order of their keys. */
function selectOld(
  db: Database,
  { table, column, key, bound_to }: SealedColumn,
  { head, after, limit }: { head: Buffer; after: OldValue | null; limit: number },
): Promise<OldValue[]> {
  const names = [...new Set([...key, ...bound_to])].join(', ');
  const behind =
    after === null
      ? sql``
      : sql`AND (${raw(key.join(', '))}) > (${join(key.map((name) => after[name] as string))})`;
  return db.query<OldValue>(sql`SELECT ${raw(names)}, ${raw(column)} AS value FROM ${raw(table)}
    WHERE ${raw(column)} IS NOT NULL AND substring(${raw(column)} FROM 1 FOR ${head.length}::int) <> ${head}
      ${behind}
    ORDER BY ${raw(key.join(', '))} LIMIT ${limit}`);
}

/** Whether the value was resealed; a sentence if it does not open. */
async function resealOrExplain(
  db: Database,
  box: SecretBox,
  column: SealedColumn,
  old: OldValue,
): Promise<boolean | string> {
  try {
    const text = box.open(old.value, column.nameOf(old));
    return await db.transaction((tx) => replace(tx, box, { column, old, text }));
  } catch (error) {
    if (error instanceof SecretError) return error.message;
    throw error;
  }
}

async function replace(
  tx: Tx,
  box: SecretBox,
  { column, old, text }: { column: SealedColumn; old: OldValue; text: string },
): Promise<boolean> {
  const value = (await originalOf(tx, box, column, old, text)) ?? box.seal(text, column.nameOf(old));
  const isDone = await update(tx, column, column.key, old, value);
  if (!isDone) return false;
  // The books compare copies with their originals, so both change at once.
  const copies = sealedColumns.filter(({ copy_of }) => copy_of === column);
  for (const copy of copies) await update(tx, copy, column.bound_to, old, value);
  return true;
}

/** The sealed value that this one is a copy of, if that is already resealed and holds the same text. */
async function originalOf(
  tx: Tx,
  box: SecretBox,
  column: SealedColumn,
  old: OldValue,
  text: string,
): Promise<Buffer | null> {
  const { copy_of } = column;
  if (copy_of === undefined) return null;
  const [original] = await tx.query<OldValue>(sql`SELECT ${raw(copy_of.column)} AS value
    FROM ${raw(copy_of.table)} WHERE ${matching(copy_of.key, old)}`);
  const { value = null } = original ?? {};
  const isResealed = value?.subarray(0, headOf(box.key_id).length).equals(headOf(box.key_id)) === true;
  return value !== null && isResealed && box.open(value, column.nameOf(old)) === text ? value : null;
}

/** Replaces the value in the rows that still have it. */
async function update(
  tx: Tx,
  { table, column }: SealedColumn,
  key: readonly string[],
  old: OldValue,
  value: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`UPDATE ${raw(table)} SET ${raw(column)} = ${value}
    WHERE ${matching(key, old)} AND ${raw(column)} = ${old.value} RETURNING 1`);
  return rows.length > 0;
}

const matching = (key: readonly string[], row: Row) =>
  join(
    key.map((name) => sql`${raw(name)} = ${row[name] as string}`),
    ' AND ',
  );
