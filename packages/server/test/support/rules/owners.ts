import { askDatabase } from '../servers/database.ts';

/**
 * Whether a statement names the owner of each distributed table that it reads or writes (D-595): the column that its mark
 * names is compared with a value, directly or through tables that it is joined with. It judges the text alone.
 */

/** A table of the schema and the column that its rows are distributed by; null: every node has the whole table. */
export type Owners = ReadonlyMap<string, string | null>;

/** The tables of a database, as their marks say (D-300). */
export async function markedTables(url: string): Promise<Owners> {
  const rows = await askDatabase<{ table: string; column: string | null }>(
    url,
    `SELECT relname AS table, substring(obj_description(oid, 'pg_class') FROM '^by (.*)$') AS column
      FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND obj_description(oid, 'pg_class') IS NOT NULL`,
  );
  return new Map(rows.map(({ table, column }) => [table, column]));
}

/** A SELECT, INSERT, UPDATE or DELETE. Statements in parentheses inside it are blocks of their own. */
interface Block {
  parts: Part[];
  /** The block around it; null for the outermost. */
  around: Block | null;
}

/** One side of a UNION. */
interface Part {
  sources: Source[];
  /** The columns that are equal to a value, or to each other, as sets of `source.column`. */
  equal: Equalities;
  inserts: { table: string; columns: string[] } | null;
  /** The table that it updates, or deletes from. */
  writes: string | null;
}

interface Source {
  name: string;
  alias: string;
  /** Its rows come from this block; null for a table or a function. */
  from: Block | null;
}

/** What a statement lacks, each in a few words; nothing if it names all owners. */
export function ownersMissing(text: string, owners: Owners): string[] {
  if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(text)) return [];
  const blocks = blocksOf(text, owners);
  const missing = blocks.flatMap((block) => block.parts.flatMap((part) => missingIn(part, block, owners)));
  return [...new Set(missing)];
}

function missingIn(part: Part, block: Block, owners: Owners): string[] {
  const missing: string[] = [];
  if (part.writes !== null && !owners.has(part.writes)) missing.push(`${part.writes} has no mark`);
  if (part.inserts !== null) {
    const { table, columns } = part.inserts;
    const column = owners.get(table);
    if (column === undefined) missing.push(`${table} has no mark`);
    else if (column !== null && !columns.includes(column)) missing.push(`rows of ${table} name no ${column}`);
  }
  for (const { name, alias, from } of part.sources) {
    const column = from === null ? owners.get(name) : undefined;
    if (typeof column === 'string' && !isNamed(`${alias}.${column}`, part, block, owners)) {
      missing.push(`${name} is asked without its ${column}`);
    }
  }
  return missing;
}

/** Whether a column is equal to a value, or to the owner of rows that are found by it. */
function isNamed(column: string, part: Part, block: Block, owners: Owners): boolean {
  return part.equal.with(column).some((one) => {
    if (one === value) return true;
    const [alias = '', name = ''] = one.split('.');
    const source = part.sources.find((own) => own.alias === alias);
    if (source !== undefined) return source.from !== null && hasOwner(source.from, name, owners);
    return isNamedAround(alias, name, block.around, owners);
  });
}

function isNamedAround(alias: string, name: string, around: Block | null, owners: Owners): boolean {
  if (around === null) return false;
  for (const part of around.parts) {
    const source = part.sources.find((own) => own.alias === alias);
    if (source === undefined) continue;
    // A table that lacks its owner is told by itself.
    if (source.from !== null) return hasOwner(source.from, name, owners);
    return owners.get(source.name) === name || isNamed(`${alias}.${name}`, part, around, owners);
  }
  return isNamedAround(alias, name, around.around, owners);
}

/** Whether the rows of a block have this owner: it asks a table that is distributed by it, or has values alone. */
function hasOwner(block: Block, column: string, owners: Owners): boolean {
  return block.parts.every(
    ({ sources, inserts }) =>
      (sources.length === 0 && inserts === null) ||
      (inserts !== null && owners.get(inserts.table) === column) ||
      sources.some(({ name, from }) =>
        from === null ? owners.get(name) === column : hasOwner(from, column, owners),
      ),
  );
}

/** Stands for every value that comes in from outside. */
const value = '$';

class Equalities {
  private readonly sets: Set<string>[] = [];

  add(one: string, other: string): void {
    const found = this.sets.filter((set) => set.has(one) || set.has(other));
    const [first = new Set<string>()] = found;
    for (const set of found.slice(1)) {
      for (const member of set) first.add(member);
      this.sets.splice(this.sets.indexOf(set), 1);
    }
    if (found.length === 0) this.sets.push(first);
    first.add(one).add(other);
  }

  /** All that equals it, values included. */
  with(one: string): string[] {
    return [...(this.sets.find((set) => set.has(one)) ?? [])];
  }
}

/** The blocks of a statement. `⟦n⟧` stands for what was in parentheses. */
function blocksOf(text: string, owners: Owners): Block[] {
  const inner: string[] = [];
  let rest = text
    .replace(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\bis\s+(?:not\s+)?distinct\s+from\b/gi, '<>')
    .replace(/\bdistinct\s+on\b/gi, 'distinct')
    .replace(/\s+/g, ' ');
  for (let open = true; open;) {
    open = false;
    rest = rest.replace(/\(([^()]*)\)/g, (_, content: string) => {
      open = true;
      inner.push(content);
      return ` ⟦${inner.length - 1}⟧ `;
    });
  }
  const spaced = (one: string): string => one.replace(/\s+/g, ' ').trim();
  return new Reader(inner.map(spaced), owners).read(spaced(rest));
}

const isQuery = (text: string): boolean => /^(?:select|insert|update|delete|with|values)\b/i.test(text);

const clause =
  /\b(for (?:no key )?(?:update|share)(?: of [\w, ]+)?|do update set|on conflict|insert into|delete from|(?:(?:left|right|full|inner|cross)(?: outer)? )?join|select|update|from|on|using|where|group by|having|order by|limit|offset|returning|set|values|window)\b/i;

class Reader {
  private readonly inner: readonly string[];
  private readonly owners: Owners;
  private readonly blocks: Block[] = [];
  /** What `WITH` names. */
  private readonly named = new Map<string, Block>();
  /** The parentheses that were read as a block. */
  private readonly read_before = new Set<string>();

  constructor(inner: readonly string[], owners: Owners) {
    this.inner = inner;
    this.owners = owners;
  }

  read(text: string): Block[] {
    this.block(text, null);
    return this.blocks;
  }

  private block(text: string, around: Block | null): Block {
    const block: Block = { parts: [], around };
    this.blocks.push(block);
    const body = text.replace(
      /(?:\bwith(?: recursive)?|,) (\w+) (?:⟦\d+⟧ )?as (?:(?:not )?materialized )?⟦(\d+)⟧/gi,
      (_, name: string, i: string) => {
        this.named.set(name, this.block(this.inner[Number(i)] ?? '', block));
        this.read_before.add(i);
        return ' ';
      },
    );
    for (const one of body.split(/\b(?:union|intersect|except)(?: all)?\b/i)) {
      block.parts.push(this.part(one, block));
    }
    return block;
  }

  private part(text: string, block: Block): Part {
    const part: Part = { sources: [], equal: new Equalities(), inserts: null, writes: null };
    const conditions: string[] = [];
    this.clauses(text, part, block, conditions);
    // A column without a table is looked for among all sources, so these are read before.
    for (const condition of conditions) this.equate(condition, part, block);
    return part;
  }

  private clauses(text: string, part: Part, block: Block, conditions: string[]): void {
    const [, ...pieces] = text.split(clause);
    for (let i = 0; i < pieces.length; i += 2) {
      const word = (pieces[i] ?? '').toLowerCase();
      const rest = (pieces[i + 1] ?? '').trim();
      if (word === 'insert into') {
        const [, table = '', columns = ''] = /^(\w+)(?: as \w+)? ?(?:⟦(\d+)⟧)?/i.exec(rest) ?? [];
        part.inserts = { table, columns: this.list(columns) };
      } else if (word === 'using' && rest.startsWith('⟦')) {
        conditions.push(`using ${rest}`);
      } else if (/from$|^update$|join$|^using$/.test(word)) {
        for (const source of rest.split(',')) this.source(source.trim(), part, block, conditions);
      } else if (word === 'on' || word === 'where') {
        conditions.push(rest);
      }
      if (word === 'update' || word === 'delete from') part.writes = part.sources[0]?.name ?? '';
      this.inside(rest, block);
    }
  }

  /** Reads the queries in parentheses that are no source. */
  private inside(text: string, block: Block): void {
    for (const [, i = ''] of text.matchAll(/⟦(\d+)⟧/g)) {
      if (this.read_before.has(i)) continue;
      this.read_before.add(i);
      const content = this.inner[Number(i)] ?? '';
      if (isQuery(content)) this.block(content, block);
      else this.inside(content, block);
    }
  }

  private source(text: string, part: Part, block: Block, conditions: string[]): void {
    const form = /^(?:only |lateral )*(?:⟦(\d+)⟧|([\w.]+)( ⟦\d+⟧)?)(?: with ordinality)?(?: as)?(?: (\w+))?/i;
    const [, i, name = '', call, alias = name] = form.exec(text) ?? [];
    if (i === undefined) {
      const from = call === undefined ? (this.named.get(name) ?? null) : null;
      part.sources.push({ name: call === undefined ? name : `${name}()`, alias, from });
      return;
    }
    const content = this.inner[Number(i)] ?? '';
    this.read_before.add(i);
    if (isQuery(content)) part.sources.push({ name: '', alias, from: this.block(content, block) });
    else this.clauses(`from ${content}`, part, block, conditions);
  }

  /** Keeps what a condition says to be equal. What stands beside an OR does not always hold. */
  private equate(condition: string, part: Part, block: Block): void {
    if (/\bor\b/i.test(condition)) return;
    for (const one of condition.split(/\band\b/i).map((text) => text.trim())) {
      const [, joined, whole] = /^(?:using ⟦(\d+)⟧.*|⟦(\d+)⟧)$/i.exec(one) ?? [];
      const [, left, how, right] = /^([^=<>!]+?) ?(=|\bin\b) ?(.+)$/i.exec(one) ?? [];
      if (joined !== undefined) {
        for (const column of this.list(joined)) {
          for (const { alias } of part.sources) part.equal.add(`using.${column}`, `${alias}.${column}`);
        }
      } else if (whole !== undefined) {
        this.equate(this.inner[Number(whole)] ?? '', part, block);
      } else if (left !== undefined && right !== undefined) {
        const ours = this.row(left);
        const theirs = how === '=' ? this.row(right) : this.rowsOfQuery(right, part, block);
        ours.forEach((own, n) => {
          const [a, b] = [this.term(own, part), this.term(theirs[n] ?? '', part)];
          if (a !== null && b !== null) part.equal.add(a, b);
        });
      }
    }
  }

  /** The columns of a query after IN, which are joined like those of a source; nothing for a list of values. */
  private rowsOfQuery(text: string, part: Part, block: Block): string[] {
    const [, i = ''] = /^⟦(\d+)⟧/.exec(text) ?? [];
    const query = this.inner[Number(i)] ?? '';
    const [, columns] = /^select (.*?) from\b/i.exec(query) ?? [];
    if (columns === undefined) return [];
    const alias = `query_${i}`;
    part.sources.push({ name: '', alias, from: this.block(query, block) });
    return columns.split(',').map((column) => `${alias}.${column.trim().replace(/^\w+\./, '')}`);
  }

  /** One side of an equality: a column, or several in parentheses. */
  private row(text: string): string[] {
    const [, i] = /^(?:row )?⟦(\d+)⟧$/i.exec(text.trim()) ?? [];
    return i === undefined || isQuery(this.inner[Number(i)] ?? '') ? [text] : this.list(i);
  }

  private list(i: string): string[] {
    return (this.inner[Number(i)] ?? '').split(',').map((one) => one.trim());
  }

  /** A column with its source, or a value; null for anything else. */
  private term(text: string, part: Part): string | null {
    const bare = text.trim();
    if (/^(?:\$\d+|''|\d+)(?: ?:: ?\w+)?$/.test(bare)) return value;
    if (/^\w+\.\w+$/.test(bare)) return bare;
    if (!/^[a-z_]\w*$/i.test(bare)) return null;
    const [own] = [
      ...part.sources.filter(({ name, from }) => from === null && this.owners.get(name) === bare),
      ...part.sources,
    ];
    return `${own?.alias ?? ''}.${bare}`;
  }
}
