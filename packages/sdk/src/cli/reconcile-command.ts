/** `reconcile`: compares a file of the merchant’s own records with the orders of the service. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createClient, type PaydeskClient } from '../client/client.ts';
import { ordersOf } from '../client/orders-of.ts';
import { PaydeskError } from '../paydesk-error.ts';
import { type OwnRecord, reconcile, type ReconciledOrder, type Reconciliation } from '../reconcile.ts';
import { parseCsv } from './csv.ts';

export const help = `Usage: npx @paydesk/sdk reconcile --since TIME --records FILE.csv [--until TIME]

Compares your records with the orders of Paydesk, and prints what differs. It changes nothing.

  --since TIME        compares the orders created at this time or later, such as 2026-03-01T00:00:00Z
  --until TIME        and before this time; without it, all orders up to now
  --records FILE.csv  your records: the columns external_reference, amount, currency and status (as a status
                      of Paydesk: "paid" if posted, "pending" if expected), and event_id and order_no if you
                      have them; "-" reads standard input

Environment: PAYDESK_URL, PAYDESK_CLIENT_ID, PAYDESK_CLIENT_SECRET; PAYDESK_TOKEN_ENDPOINT if it is not
PAYDESK_URL/oauth/token. The client needs the scope merchant_payments.read.

Exit codes: 0 nothing differs, 1 something differs, 2 wrong usage, or Paydesk could not be read.
`;

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  fetch?: typeof fetch;
}

type Order = ReconciledOrder & { created_at?: string };

/** Wrong usage, as a sentence. */
class UsageError extends Error {}

/** Runs `paydesk-sdk ARGS` and gives the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const [command, ...rest] = args;
    if (command === undefined || command === '--help' || command === '-h' || rest.includes('--help')) {
      terminal.out(help);
      return command === undefined ? 2 : 0;
    }
    if (command !== 'reconcile') throw new UsageError(`there is no command ${command}; "reconcile" is one`);
    return await runReconcile(rest, terminal);
  } catch (error) {
    if (error instanceof PaydeskError) {
      const { status, code, description = '' } = error;
      terminal.err(`Paydesk could not be read: ${status} ${code}. ${description}\n`);
      return 2;
    }
    terminal.err(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function runReconcile(args: string[], terminal: Terminal): Promise<number> {
  const { since, until, records: file } = optionsOf(args);
  const records = readRecords(await readFile(file === '-' ? '/dev/stdin' : file, 'utf8'));
  const client = clientOf(terminal);
  const orders: Order[] = [];
  const range = { created_from: since, ...(until === undefined ? {} : { created_to: until }) };
  for await (const order of client.orders(range)) orders.push(order);
  const found = await findEarlier(client, records, orders);
  const result = reconcile(records, [...orders, ...found]);
  const lines = linesOf(result);
  for (const line of lines) terminal.out(`${line}\n`);
  const { matches } = result;
  terminal.out(
    `${records.length} records, ${orders.length} orders: ${matches.length} match, ${lines.length} differ\n`,
  );
  return lines.length === 0 ? 0 : 1;
}

function optionsOf(args: string[]): { since: string; until: string | undefined; records: string } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { since: text, until: text, records: text } });
  const { since, until, records } = values;
  if (since === undefined || records === undefined) {
    throw new UsageError('--since and --records are needed; --help explains them');
  }
  for (const [name, time] of [
    ['--since', since],
    ['--until', until],
  ]) {
    if (time !== undefined && !isTime(time)) {
      throw new UsageError(`${name} must be a time such as 2026-03-01T00:00:00Z`);
    }
  }
  return { since: new Date(since).toISOString(), until: until && new Date(until).toISOString(), records };
}

/** Whether a text is a time, on a day that exists: JavaScript takes 30 February for 2 March (D-1413). */
function isTime(text: string): boolean {
  if (Number.isNaN(Date.parse(text))) return false;
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  return day === '' || (!Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day));
}

function clientOf({ env, fetch }: Terminal): PaydeskClient {
  const names = ['PAYDESK_URL', 'PAYDESK_CLIENT_ID', 'PAYDESK_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0) throw new UsageError(`${missing.join(', ')} must be in the environment`);
  const token_endpoint = env['PAYDESK_TOKEN_ENDPOINT'];
  return createClient({
    base_url: env['PAYDESK_URL'] ?? '',
    client_id: env['PAYDESK_CLIENT_ID'] ?? '',
    client_secret: env['PAYDESK_CLIENT_SECRET'] ?? '',
    scope: 'merchant_payments.read',
    // A nightly job has time to wait for the limit of requests.
    timeout_ms: 300_000,
    max_attempts: 10,
    ...(token_endpoint === undefined ? {} : { token_endpoint }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

const needed = ['external_reference', 'amount', 'currency', 'status'] as const;

function readRecords(text: string): OwnRecord[] {
  return parseCsv(text).map((row, i) => {
    const missing = needed.find((name) => row[name] === undefined);
    if (missing !== undefined) throw new UsageError(`the records have no column ${missing}`);
    const empty = needed.find((name) => row[name]?.trim() === '');
    if (empty !== undefined) throw new UsageError(`line ${i + 2} of the records has no ${empty}`);
    const [external_reference = '', amount = '', currency = '', status = ''] = needed.map(
      (name) => row[name]?.trim() ?? '',
    );
    return {
      external_reference: withoutApostrophes(external_reference),
      amount,
      currency,
      status,
      event_id: row['event_id']?.trim() || null,
      order_no: row['order_no']?.trim() || null,
    };
  });
}

/** A reference as it is, where a CSV file of Paydesk has an apostrophe before what a spreadsheet would run as a formula. */
const withoutApostrophes = (text: string): string =>
  text.replace(/(^|[;\t\r\n])'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, '$1');

/**
 * The orders of the records that do not match the list by creation: they were created before or after it, also where that list
 * has another attempt of the same reference (D-1295).
 */
async function findEarlier(
  client: PaydeskClient,
  records: readonly OwnRecord[],
  orders: readonly Order[],
): Promise<Order[]> {
  const { missing_orders, mismatches, duplicates } = reconcile(records, orders);
  const unmatched = [
    ...missing_orders,
    ...mismatches.map(({ record }) => record),
    ...duplicates.flatMap((one) => one.records),
  ];
  const references = new Set(unmatched.map(({ external_reference }) => external_reference.trim()));
  const found: Order[] = [];
  for (const external_reference of references) {
    found.push(...(await ordersOf(client, external_reference)));
  }
  return found;
}

const ours = ({ external_reference, amount, currency, status }: OwnRecord): string =>
  `${external_reference} ${amount} ${currency} ${status}`;
const theirs = ({ order_no, external_reference, amount, currency, status }: Order): string =>
  `${order_no} (${external_reference} ${amount} ${currency} ${status})`;

/** Line breaks and control characters as escapes: a terminal would obey some of them (D-1297). */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`);

function linesOf(result: Reconciliation<OwnRecord, Order>): string[] {
  return [
    ...result.mismatches.map(
      ({ record, order, differences }) =>
        `differs in ${differences.join(', ')}: your ${ours(record)}, Paydesk ${theirs(order)}`,
    ),
    ...result.missing_orders.map((record) => `no order in Paydesk: your ${ours(record)}`),
    ...result.missing_records.map((order) => `no record of yours: Paydesk ${theirs(order)}`),
    ...result.duplicates.map(
      ({ by, key, records, orders }) =>
        `twice by ${by} ${key}: ${[...records.map(ours), ...orders.map(theirs)].join('; ')}`,
    ),
  ].map(oneLine);
}
