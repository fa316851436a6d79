/**
 * The rules for migrations that run while the service works and while processes of the previous release go on
 * (docs/recipes/migration.md). They hold from migration 33 on.
 */
import { isOlder, isRelease } from '../../../src/base/release.ts';
import { statementsOf } from '../../../src/base/pg/schema/apply.ts';
import type { Migration } from '../../../src/base/pg/schema/migration-files.ts';

/** The first migration that must follow the rules. */
export const firstUnderRules = 33;

/** Statements that can be repeated, so that a run that was interrupted can be made again. */
const repeatable = [
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS \w+ ON \w+/i,
  /^DROP INDEX CONCURRENTLY IF EXISTS \w+$/i,
  /^ALTER TABLE \w+ VALIDATE CONSTRAINT \w+$/i,
  /^ALTER TABLE \w+ ADD COLUMN IF NOT EXISTS [^,]+$/i,
];

/** What takes something from processes that may still use it. */
const contracting =
  /\bDROP (?:COLUMN|FUNCTION|TABLE|VIEW|TRIGGER|TYPE)\b|\bRENAME\b|\bALTER COLUMN \w+ (?:SET DATA )?TYPE\b|\bSET NOT NULL\b|\bDROP DEFAULT\b/i;

/**
 * The rules that a migration breaks, in words.
 *
 * @param release the release that the migration will be part of
 */
export function upgradeRulesBrokenBy(migration: Migration, release: string): string[] {
  const sql = migration.text
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  // The bodies of functions run later.
  const outside = sql.replace(/\$(\w*)\$.*?\$\1\$/g, "''");
  const made = new Set(
    [...outside.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, name]) => name),
  );
  const isOld = (table: string | undefined): boolean => !made.has(table);
  return [
    ...headerRules(migration, outside, release),
    ...modeRules(migration),
    ...(migration.mode === 'transaction' ? lockRules(outside, isOld) : []),
    ...indexRules(outside, isOld),
    ...constraintRules(outside, isOld),
    ...columnRules(outside, isOld),
    ...(migration.mode === 'batches' ? [] : rowRules(outside, isOld)),
  ];
}

function headerRules({ text, compatible_from }: Migration, sql: string, release: string): string[] {
  const broken: string[] = [];
  if (!/^-- compatible_from: /m.test(text)) broken.push('the header names compatible_from');
  if (compatible_from !== null && isOlder(release, compatible_from)) {
    broken.push('compatible_from is not newer than the release');
  }
  if (!contracting.test(sql)) return broken;
  const unused_since = /^-- contract: (\S+)$/m.exec(text)?.[1] ?? '';
  if (!isRelease(unused_since) || !isOlder(unused_since, release)) {
    broken.push(
      'what is dropped, renamed or narrowed names the older release that first did without: "-- contract: 0.1.0"',
    );
  } else if (compatible_from !== null && isOlder(compatible_from, unused_since)) {
    broken.push('compatible_from is not older than the release that first did without');
  }
  return broken;
}

function modeRules({ mode, text }: Migration): string[] {
  const statements = statementsOf(text).map((statement) => statement.replace(/\s+/g, ' '));
  if (mode === 'statements') {
    return statements.every((statement) => repeatable.some((form) => form.test(statement)))
      ? []
      : [
          'mode statements has only statements that can be repeated: an index, a column with IF NOT EXISTS, VALIDATE',
        ];
  }
  if (mode === 'batches') {
    const [one = ''] = statements;
    const isBatch =
      statements.length === 1 && /\$1/.test(one) && /\bLIMIT \d+/i.test(one) && /\bAS last\b/i.test(one);
    return isBatch ? [] : ['mode batches has one statement with $1, LIMIT and a result "last"'];
  }
  return [];
}

/** A transaction that has one table would keep requests from it while it waits for the next. */
function lockRules(sql: string, isOld: (table?: string) => boolean): string[] {
  const altered = [...sql.matchAll(/\bALTER TABLE (?:ONLY )?(?:IF EXISTS )?(\w+)/gi)].map(
    ([, table]) => table,
  );
  return new Set(altered.filter(isOld)).size > 1
    ? ['a transaction alters one existing table: use "-- mode: statements" or a file for each']
    : [];
}

function indexRules(sql: string, isOld: (table?: string) => boolean): string[] {
  const plain = [
    ...sql.matchAll(/\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(?:\w+ )?ON (\w+)/gi),
  ];
  const broken = plain.some(([, table]) => isOld(table))
    ? ['an index of an existing table is built CONCURRENTLY']
    : [];
  if (/\bDROP INDEX (?!CONCURRENTLY)/i.test(sql)) broken.push('an index is dropped CONCURRENTLY');
  if (/\bREINDEX\b|\bCLUSTER\b|\bVACUUM\b|\bTRUNCATE (?:TABLE )?\w+ ?;|\bLOCK TABLE\b/i.test(sql)) {
    broken.push('no statement locks or rewrites a whole table');
  }
  return broken;
}

/** Each `ALTER TABLE` of an existing table, with its actions. */
const alterations = (sql: string, isOld: (table?: string) => boolean): string[] =>
  [...sql.matchAll(/\bALTER TABLE (?:ONLY )?(?:IF EXISTS )?(\w+) ([^;]*)/gi)]
    .filter(([, table]) => isOld(table))
    .map(([, , actions = '']) => actions);

function constraintRules(sql: string, isOld: (table?: string) => boolean): string[] {
  const broken = new Set<string>();
  for (const actions of alterations(sql, isOld)) {
    const added = actions
      .split(/\bADD (?=CONSTRAINT\b|CHECK\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b|FOREIGN\b)/i)
      .slice(1);
    for (const constraint of added) {
      if (
        /\bEXCLUDE\b/i.test(constraint) ||
        (/\b(?:UNIQUE|PRIMARY KEY)\b/i.test(constraint) && !/\bUSING INDEX\b/i.test(constraint))
      )
        broken.add('a key of an existing table is added USING INDEX, after CREATE UNIQUE INDEX CONCURRENTLY');
      else if (!/\bUSING INDEX\b/i.test(constraint) && !/\bNOT VALID\b/i.test(constraint))
        broken.add('a constraint of an existing table is added NOT VALID');
    }
    if (/\bVALIDATE\b/i.test(actions) && /\bADD CONSTRAINT\b/i.test(sql))
      broken.add('a constraint is validated in a later file than it is added');
  }
  return [...broken];
}

function columnRules(sql: string, isOld: (table?: string) => boolean): string[] {
  const broken = new Set<string>();
  for (const actions of alterations(sql, isOld)) {
    for (const [, column = ''] of actions.matchAll(
      /\bADD COLUMN (.*?)(?=, ?(?:ADD|ALTER|DROP|VALIDATE) |$)/gi,
    )) {
      if (/\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column))
        broken.add('a new column is nullable or has a default, as the previous release does not write it');
      if (/\bGENERATED\b|\bDEFAULT [^']*\w\(/i.test(column))
        broken.add('a new column does not rewrite its table');
    }
  }
  return [...broken];
}

function rowRules(sql: string, isOld: (table?: string) => boolean): string[] {
  const changed = [...sql.matchAll(/(?:^|; ?|\( ?|\) )(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/gi)];
  return changed.some(([, table]) => isOld(table))
    ? ['rows of an existing table are changed in "-- mode: batches"']
    : [];
}
