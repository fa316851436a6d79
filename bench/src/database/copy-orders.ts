/** Multiplies orders that the service made: copies all their rows by SQL, under new numbers. */

/** The part of a database that this needs. */
interface Queried {
  query(text: string): Promise<Record<string, unknown>[]>;
}

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
const ownNumber = /\b(?:mp|pa|pe|ne)_[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** How many characters at the end of a number tell copies apart. */
const tail = 12;

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Copies a paid order `copies` times, with its quotes, attempts, notifications and transfers. Balances of the merchant and
 * of the buyer grow with it; the balances of the order itself are copied.
 *
 * @param apart_s how many seconds each copy is older than the one before
 */
export async function copyOrder(
  database: Queried,
  order_no: string,
  copies: number,
  apart_s = 0,
): Promise<void> {
  const rows = await Promise.all(
    tables.map(async ([table, column]) => ({
      table,
      rows: await readRows(database, table, column, order_no),
    })),
  );
  const numbers = numbersIn(rows.flatMap((of) => of.rows));
  for (const { table, rows: templates } of rows) {
    for (const template of templates) {
      const columns = Object.entries(template).filter(([name]) => name !== 'sealed_xact');
      const values = columns.map(([, value]) => earlier(value, expressionOf(value, numbers), apart_s));
      await database.query(
        `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})
         SELECT ${values.map((value, i) => `(${value})::${columns[i]?.[1]?.type ?? 'text'}`).join(', ')}
         FROM generate_series(1, ${copies}) AS i, lpad(upper(to_hex(i)), ${tail}, '0') AS tail`,
      );
    }
  }
  await addToBalances(database, order_no, copies);
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

/** SQL of a copied value: each number ends in the copy's own characters. */
function expressionOf({ text }: Value, numbers: readonly string[]): string {
  if (text === null) return 'NULL';
  const any = new RegExp(numbers.map((number) => number.replace(/[^\w]/g, '\\$&')).join('|'), 'g');
  const parts: string[] = [];
  let at = 0;
  for (const found of text.matchAll(any)) {
    parts.push(quote(text.slice(at, found.index) + found[0].slice(0, -tail)), 'tail');
    at = found.index + found[0].length;
  }
  return [...parts, quote(text.slice(at))].join(' || ');
}

/** SQL of a value of the `i`-th copy; times are earlier. */
const earlier = ({ type }: Value, expression: string, apart_s: number): string =>
  type.startsWith('timestamp') && apart_s > 0
    ? `(${expression})::${type} - make_interval(secs => i * ${apart_s})`
    : expression;

/** The copies move the merchant's available balance and the buyer's wallet, whose top-up is already there. */
async function addToBalances(database: Queried, order_no: string, copies: number): Promise<void> {
  const of = `FROM ledger_transfers t WHERE t.subject = ${quote(order_no)}`;
  await database.query(
    `UPDATE ledger_balances b SET balance = balance + ${copies} * (
       SELECT coalesce(sum(CASE WHEN credit_account = 'm:available' THEN amount ELSE -amount END), 0) ${of}
         AND t.merchant_id = b.merchant_id AND 'm:available' IN (t.debit_account, t.credit_account))
     WHERE account = 'm:available'`,
  );
  await database.query(
    `UPDATE user_wallets w SET available_ptk = available_ptk - ${copies} * (
       SELECT coalesce(sum(amount), 0) ${of} AND t.debit_account = 'user:' || w.user_id || ':available')`,
  );
}
