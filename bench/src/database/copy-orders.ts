/** Multiplies orders that the service made: copies all their rows by SQL, under new numbers. */

/** The part of a database that this needs. */
interface Queried {
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Runs statements in one transaction. */
  write(texts: readonly string[]): Promise<void>;
}

/** How many copies one transaction makes: what an interrupted run loses. */
const atOnce = 100_000;

/** How many copies of each order there are. */
const progress = 'bench_copies';

/** The tables that have rows of an order, and the column that names it. */
const tables: readonly (readonly [table: string, column: string])[] = [
  ['collection_orders', 'order_no'],
  ['payment_quotes', 'order_no'],
  ['payment_attempts', 'order_no'],
  ['payment_holds', 'order_no'],
  ['ledger_transfers', 'subject'],
  ['ledger_balances', 'ref'],
  ['notifications', 'order_no'],
  ['user_wallet_lines', 'subject'],
];

/** Columns whose values are numbers at the provider or of a request; each copy gets its own. */
const foreignNumbers = ['provider_trade_no', 'session_id', 'idempotency_key'];
/** A time as texts have it. */
const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const timeFormat = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const ownNumber = /\b(?:mp|pa|pe|ne)_[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** How many characters at the end of a number tell copies apart. */
const tail = 12;

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Copies a paid order until it has `copies` copies, with its quotes, attempts, notifications and transfers. Balances of the
 * merchant and of the buyer grow with it; the balances of the order itself are copied. A run that was interrupted goes on.
 *
 * @param apart_ms how many milliseconds each copy is older than the one before
 */
export async function copyOrder(
  database: Queried,
  order_no: string,
  copies: number,
  { apart_ms, signal }: { apart_ms: number; signal: AbortSignal },
): Promise<void> {
  await database.query(
    `CREATE TABLE IF NOT EXISTS ${progress} (order_no text PRIMARY KEY, copies int NOT NULL)`,
  );
  const [known] = await database.query(`SELECT copies FROM ${progress} WHERE order_no = ${quote(order_no)}`);
  const rows = await Promise.all(
    tables.map(async ([table, column]) => ({
      table,
      rows: await readRows(database, table, column, order_no),
    })),
  );
  const numbers = numbersIn(rows.flatMap((of) => of.rows));
  for (let done = Number(known?.copies ?? 0); done < copies; done += atOnce) {
    signal.throwIfAborted();
    const last = Math.min(copies, done + atOnce);
    await database.write([
      ...rows.flatMap((of) =>
        of.rows.map((template) => copyStatement(of.table, template, { numbers, apart_ms, done, last })),
      ),
      ...balanceStatements(order_no, last - done),
      `INSERT INTO ${progress} VALUES (${quote(order_no)}, ${last})
       ON CONFLICT (order_no) DO UPDATE SET copies = excluded.copies`,
    ]);
  }
}

/** SQL that copies one row: the copies after `done` up to `last`. */
function copyStatement(
  table: string,
  template: Template,
  {
    numbers,
    apart_ms,
    done,
    last,
  }: { numbers: readonly string[]; apart_ms: number; done: number; last: number },
): string {
  const columns = Object.entries(template).filter(([name]) => name !== 'sealed_xact');
  const values = columns.map(([, value]) => expressionOf(value, numbers, apart_ms));
  return `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})
    SELECT ${values.map((value, i) => `(${value})::${columns[i]?.[1]?.type ?? 'text'}`).join(', ')}
    FROM generate_series(${done + 1}, ${last}) AS i, lpad(upper(to_hex(i)), ${tail}, '0') AS tail`;
}

interface Value {
  text: string | null;
  type: string;
}
type Template = Record<string, Value>;

async function readRows(
  database: Queried,
  table: string,
  column: string,
  order_no: string,
): Promise<Template[]> {
  const types = await database.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const asText = types.map(({ name }) => `${String(name)}::text AS ${String(name)}`).join(', ');
  const rows = await database.query(`SELECT ${asText} FROM ${table} WHERE ${column} = ${quote(order_no)}`);
  return rows.map((row) =>
    Object.fromEntries(
      types.map(({ name, type }) => [
        String(name),
        { text: row[String(name)] as string | null, type: String(type) },
      ]),
    ),
  );
}

/** Every number that belongs to the order alone. */
function numbersIn(rows: readonly Template[]): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    for (const [name, { text }] of Object.entries(row)) {
      if (text === null) continue;
      if (foreignNumbers.includes(name)) found.add(text);
      for (const [number] of text.matchAll(ownNumber)) found.add(number);
    }
  }
  // The longest first: `PTK:mp_…` contains an order's number.
  return [...found].sort((a, b) => b.length - a.length);
}

/** SQL of a value of the `i`-th copy: each number ends in the copy's own characters, and times are earlier, also in texts. */
function expressionOf({ text, type }: Value, numbers: readonly string[], apart_ms: number): string {
  if (text === null) return 'NULL';
  const earlier = (time: string): string => `${quote(time)}::timestamptz - i * interval '${apart_ms} ms'`;
  if (type.startsWith('timestamp')) return earlier(text);
  const own = numbers.map((number) => number.replace(/[^\w]/g, '\\$&'));
  const parts: string[] = [];
  let at = 0;
  for (const found of text.matchAll(new RegExp([...own, isoTime.source].join('|'), 'g'))) {
    const [part] = found;
    const before = text.slice(at, found.index);
    if (isoTime.test(part))
      parts.push(quote(before), `to_char((${earlier(part)}) AT TIME ZONE 'UTC', ${quote(timeFormat)})`);
    else parts.push(quote(before + part.slice(0, -tail)), 'tail');
    at = found.index + part.length;
  }
  return [...parts, quote(text.slice(at))].join(' || ');
}

/** SQL of what copies move: the merchant's available balance and the buyer's wallet, whose top-up is already there. */
function balanceStatements(order_no: string, copies: number): string[] {
  const of = `FROM ledger_transfers t WHERE t.subject = ${quote(order_no)}`;
  return [
    `UPDATE ledger_balances b SET balance = balance + ${copies} * (
       SELECT coalesce(sum(CASE WHEN credit_account = 'm:available' THEN amount ELSE -amount END), 0) ${of}
         AND t.merchant_id = b.merchant_id AND 'm:available' IN (t.debit_account, t.credit_account))
     WHERE account = 'm:available'`,
    `UPDATE user_wallets w SET available_ptk = available_ptk - ${copies} * (
       SELECT coalesce(sum(amount), 0) ${of} AND t.debit_account = 'user:' || w.user_id || ':available')`,
  ];
}
