import pg from 'pg';
import { inOneLine } from '../rules/allowed-statements.ts';

/** A statement as the service ran it: its text, and the values of one of its runs. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** The problems of a statement's plan, for people to read. */
export interface PlanFault {
  problems: string[];
  statement: string;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

/** The statements that were explained in this worker process and have no problem. */
export const explained = new Set<string>();

/** Reads and writes of rows, as opposed to BEGIN, SET or LISTEN. */
const hasPlan = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * Explains statements on partitioned tables, with the values that they were run with, and tells those that would
 * not do on a distributed database: that touch more than one partition of a table, or read one without an index.
 * Sequential scans are priced out, so a plan has one only where no index serves.
 */
export async function planFaults(url: string, statements: Iterable<Statement>): Promise<PlanFault[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const tables = await partitionedTables(client);
    const waiting = await waitingIndexes(client);
    const faults: PlanFault[] = [];
    for (const { text, values } of statements) {
      if (!hasPlan.test(text)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`,
        [...values],
      );
      const scans = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => scansOf(Plan));
      const problems = problemsOf(scans, tables, waiting);
      if (problems.length > 0) faults.push({ problems, statement: inOneLine(text) });
    }
    return faults;
  } finally {
    await client.end();
  }
}

/** Partitioned tables by the names of their partitions. */
async function partitionedTables(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ partition: string; table: string }>(
    `SELECT c.relname AS partition, p.relname AS table FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      WHERE c.relkind = 'r' AND p.relkind = 'p'`,
  );
  return new Map(rows.map(({ partition, table }) => [partition, table]));
}

/**
 * The names of the indexes of what waits. These may be almost empty when PostgreSQL looks at them, so that it takes them for the
 * shortest way to one row, and long when they are used (D-1097).
 */
async function waitingIndexes(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
      WHERE pg_get_expr(indpred, indrelid) ~ '''(pending|reserved)'''`,
  );
  return new Set(rows.map(({ name }) => name));
}

interface Scan {
  relation: string;
  how: 'index' | 'whole index' | 'table';
  /** The indexes by which it reads all rows of an owner, to find one by its number. */
  passing: string[];
}

function scansOf(plan: Plan): Scan[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  const relation = plan['Relation Name'];
  const type = plan['Node Type'];
  if (relation === undefined || !type.endsWith('Scan')) return below;
  if (type === 'Seq Scan') return [...below, { relation, how: 'table', passing: [] }];
  const passing = number.test(plan.Filter ?? '') ? indexesOf(plan) : [];
  return [...below, { relation, how: isBounded(plan) ? 'index' : 'whole index', passing }];
}

/** A condition on the number of one row. */
const number = /\b(?:order_no|event_id|attempt_id|case_id|refund_id|complaint_id|dispute_id) = /;

/** A condition of an index that only an owner's identifier bounds. */
const ownerAlone = /^\((?:\w+\.)?merchant_id = [^()]*(?:\([^()]*\))?[^()]*\)$/;

const indexesOf = (plan: Plan): string[] => [
  ...(plan['Index Name'] !== undefined && ownerAlone.test(plan['Index Cond'] ?? '')
    ? [plan['Index Name']]
    : []),
  ...(plan.Plans ?? []).flatMap(indexesOf),
];

/** Whether an index is entered at a value, and not read from end to end. */
function isBounded(plan: Plan): boolean {
  return plan['Index Cond'] !== undefined || (plan.Plans ?? []).some(isBounded);
}

function problemsOf(
  scans: readonly Scan[],
  tables: ReadonlyMap<string, string>,
  waiting: ReadonlySet<string>,
): string[] {
  const touched = new Map<string, Set<string>>();
  const problems = new Set<string>();
  for (const { relation, how, passing } of scans) {
    const table = tables.get(relation);
    if (table === undefined) continue;
    for (const index of passing) {
      if (waiting.has(index))
        problems.add(`finds a row of ${table} among all that ${index} has of its owner`);
    }
    touched.set(table, (touched.get(table) ?? new Set()).add(relation));
    if (how !== 'index') problems.add(`reads a ${how} of ${table}`);
  }
  for (const [table, partitions] of touched) {
    if (partitions.size > 1) problems.add(`touches ${partitions.size} partitions of ${table}`);
  }
  return [...problems];
}
