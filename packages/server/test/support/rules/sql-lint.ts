import ts from 'typescript';

/** A statement of the sources: where it stands, and its text with every value written `$n`. */
export interface SourceStatement {
  file: string;
  line: number;
  text: string;
}

const isStatement = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Every whole statement that a source file writes with the `sql` tag; parts of statements are left to EXPLAIN. */
export function statementsIn(file: string, source: string): SourceStatement[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: SourceStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(parsed) === 'sql') {
      const text = textOf(node.template);
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
      if (isStatement.test(text)) found.push({ file, line: line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

function textOf(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (text, { literal }, i) => `${text}$${i + 1}${literal.text}`,
    template.head.text,
  );
}

/** The names of the tables that migrations mark as the merchants' own. */
export function merchantTablesIn(migrations: string): string[] {
  const tables = /CREATE TABLE (\w+) \((?:(?!CREATE TABLE)[^])*?\n\) \/\* by merchant_id \*\/;/g;
  return [...migrations.matchAll(tables)].map(([, table = '']) => table);
}

/** One SELECT, UPDATE, DELETE or INSERT. Statements in parentheses inside it are blocks of their own. */
function blocksOf(text: string): string[] {
  const inner = /\((\s*(?:select|insert|update|delete|with)\b[^()]*)\)|\(([^()]*)\)/i;
  const blocks: string[] = [];
  const kept: string[] = [];
  let rest = text;
  for (let match = inner.exec(rest); match !== null; match = inner.exec(rest)) {
    const [whole, block, other] = match;
    if (block !== undefined) blocks.push(restored(block, kept));
    // Parentheses that are no block stay part of the block around them.
    if (other !== undefined) kept.push(other);
    const stand_in = block === undefined ? `\u27e8${kept.length - 1}\u27e9` : ' subquery ';
    rest = rest.replace(whole, () => stand_in);
  }
  return [...blocks, restored(rest, kept)];
}

function restored(block: string, kept: readonly string[]): string {
  const text = block.replace(/\u27e8(\d+)\u27e9/g, (_, i: string) => `(${kept[Number(i)] ?? ''})`);
  return text.includes('\u27e8') ? restored(text, kept) : text;
}

const volatile =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|gen_random_uuid|nextval)\s*\(|\b(?:current_timestamp|current_date|current_time|localtimestamp)\b/i;

/**
 * The parts of a statement that a database distributed by merchant could not run, or not well (docs/ARCHITECTURE.md,
 * "Ready to be distributed").
 *
 * @param tables the merchants' own tables
 */
export function rulesBrokenBy(text: string, tables: readonly string[]): string[] {
  const broken: string[] = [];
  const named = new RegExp(
    `\\b(?:from|join|update|into|using)\\s+(?:only\\s+)?(${tables.join('|')})\\b`,
    'gi',
  );
  const namesIn = (block: string): string[] => [...block.matchAll(named)].map(([, table = '']) => table);
  if (volatile.test(text)) broken.push('times and chance come in as parameters');
  if (/\bpg_(?:try_)?advisory/i.test(text)) broken.push('nothing rests on advisory locks');
  // On Citus, two that lock rows of a table on every node in common wait for each other (D-1094).
  if (/\bfor\s+(?:key\s+)?share\b/i.test(text)) broken.push('rows are not locked in common');
  if (/\bon\s+conflict\s+on\s+constraint\b/i.test(text)) broken.push('constraints are never named');
  if (
    /\bmerchant_id::|merchant_id\s*=\s*\$\d+::(?!uuid\b)/i.test(text.replace(/merchant_id::text AS/gi, ''))
  ) {
    broken.push('merchant_id is compared uncast');
  }
  if (/\bbalance\s*=\s*(?:\w+\.)?balance\s*-/i.test(text) && !/\bbalance\s*>=/i.test(text)) {
    broken.push('what a balance does not cover is not taken from it');
  }
  const inserted = [...text.matchAll(/\binsert\s+into\s+(\w+)/gi)].map(([, table = '']) => table);
  for (const table of inserted.filter((name) => tables.includes(name))) {
    if (new RegExp(`\\b(?:from|join|update)\\s+${table}\\b`, 'i').test(text)) {
      broken.push(`${table} is not written and read in one statement`);
    }
  }
  for (const block of blocksOf(text)) {
    const reads = namesIn(block);
    if (reads.length === 0) continue;
    if (/^\s*insert\b/i.test(block.trim())) {
      if (!/\bvalues\b/i.test(block)) broken.push(`rows of ${reads[0] ?? ''} come as VALUES`);
      continue;
    }
    const compared = block.match(/\bmerchant_id\s*=|\busing\s*\(\s*merchant_id\b/gi) ?? [];
    if (compared.length < reads.length)
      broken.push(`merchant_id is named once for each of ${reads.join(', ')}`);
    if (/\bfor\s+(?:no\s+key\s+)?(?:update|share)\b/i.test(block) && !/\bmerchant_id\s*=\s*\$/i.test(block)) {
      broken.push('locks are taken within one merchant');
    }
  }
  return [...new Set(broken)];
}

/** The parts of a migration that tables of a distributed database could not have. */
export function rulesBrokenByMigration(text: string): string[] {
  const sql = text.replace(/--[^\n]*/g, '');
  const broken: string[] = [];
  if (/\breferences\b|\bforeign\s+key\b/i.test(sql)) broken.push('there are no foreign keys');
  if (/\bas\s+identity\b|\bserial\b|\bbigserial\b|\bcreate\s+sequence\b/i.test(sql))
    broken.push('ids are made by the service');
  if (/\bdefault\b[^,;]*(?:\bnow\s*\(|random|nextval|\bcurrent_)/i.test(sql))
    broken.push('no default asks for the time or chance');
  if (/\bdeferrable\b|\bconstraint\s+trigger\b/i.test(sql)) broken.push('nothing is deferred');
  for (const [, column = ''] of sql.matchAll(/\badd\s+column\s+([^,;]*)/gi)) {
    if (/\bcheck\b|\bunique\b|\bprimary\b/i.test(column))
      broken.push('constraints of a new column are added apart');
  }
  for (const [, body = ''] of sql.matchAll(/\breturns\s+trigger\b[^$]*\$\$([^]*?)\$\$/gi)) {
    // A part of a distributed table, order_sums_102008, has a name with a number.
    const restsOnParts = /^\s*begin\s+if TG_TABLE_NAME ~ '_\\d\+\$' then\s+return null;/i.test(body);
    if (
      !restsOnParts &&
      /\b(?:select|perform|insert\s+into|delete\s+from|update\s+\w+\s+set)\b/i.test(body)
    ) {
      broken.push('a trigger looks only at its row');
    }
  }
  return [...new Set(broken)];
}
