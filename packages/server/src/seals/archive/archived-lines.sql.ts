/** Statements on the lines of seals whose rows leave for the archive. */
import { join, type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import { hours, later, minutes } from '../../base/time/clock.ts';

/** Where a sealed row stands: its seal, and its line there, counted from 1. */
export interface SealLine extends Row {
  seal_no: bigint;
  line_no: number;
  /** Kind and key. */
  subject: string;
}

/**
 * The lines of these rows in the seals of a chain until a time.
 *
 * @param times looks only at seals that were made soon after one of these times; null for all
 */
export function selectSealLines(
  db: Queryable,
  merchant_id: string,
  subjects: readonly string[],
  { times, until }: { times: readonly Date[] | null; until: Date },
): Promise<SealLine[]> {
  const spans = times?.map(
    (at) => `[${later(at, -minutes(5)).toISOString()},${later(at, hours(1)).toISOString()}]`,
  );
  const isLookedAt =
    spans === undefined ? sql`` : sql`AND s.sealed_at <@ ${`{${spans.join()}}`}::tstzmultirange`;
  return db.query<SealLine>(
    sql`SELECT s.seal_no, l.n::integer AS line_no, substr(l.line, 46) AS subject
      FROM seals s CROSS JOIN LATERAL string_to_table(s.entries, E'\\n') WITH ORDINALITY AS l (line, n)
      WHERE s.merchant_id = ${merchant_id} AND s.sealed_at <= ${until} ${isLookedAt}
        AND substr(l.line, 46) = ANY(${[...subjects]}::text[])`,
  );
}

/** Records which lines of each seal leave with a batch. */
export async function insertArchivedLines(
  tx: Tx,
  { merchant_id, batch_no }: { merchant_id: string; batch_no: bigint },
  lines: readonly Pick<SealLine, 'seal_no' | 'line_no'>[],
  seals: readonly { seal_no: bigint; entry_count: number }[],
): Promise<void> {
  const numbers = new Map<bigint, Set<number>>();
  for (const { seal_no, line_no } of lines) {
    numbers.set(seal_no, (numbers.get(seal_no) ?? new Set()).add(line_no));
  }
  const rows = seals.flatMap(({ seal_no, entry_count }) => {
    const left = numbers.get(seal_no);
    if (left === undefined) return [];
    const bits = Array.from({ length: entry_count }, (_, i) => (left.has(i + 1) ? '1' : '0')).join('');
    return [sql`(${merchant_id}::uuid, ${seal_no}::bigint, ${batch_no}::bigint, ${bits}::bit varying)`];
  });
  await tx.query(
    sql`INSERT INTO archived_seal_lines (merchant_id, seal_no, batch_no, lines) VALUES ${join(rows)}`,
  );
}
