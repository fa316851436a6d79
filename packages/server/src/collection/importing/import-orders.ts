/** Imports historical orders of an older system, in batches of lines (docs/import.md). */
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { parseJson } from '../../base/input/json.ts';
import { selectMerchant } from '../../merchants/index.ts';
import type { CollectionOrder } from '../orders/index.ts';
import { differences, readHistoricalOrder } from './historical-order.ts';
import {
  insertHistoricalOrder,
  selectEventOwners,
  selectUniqueValues,
  selectOrdersByNos,
} from './historical-order.sql.ts';

export interface ImportDeps {
  db: Database;
  clock: Clock;
  /** The key from which checkout addresses are derived. */
  token_key_id: string;
  /** Cache: whether a merchant exists, by its identifier. */
  merchants: Map<string, boolean>;
  /** Whether to check all lines and store nothing. */
  dry_run: boolean;
}

/** One line of the file. `bytes` is null if the line is too long. */
export interface ImportLine {
  number: number;
  bytes: Buffer | null;
}

export interface Refusal {
  number: number;
  /** The invalid member; null if the whole line is invalid. */
  field: string | null;
  problem: string;
}

/** The result of a batch of lines. */
export interface ImportResult {
  imported: number;
  /** Number of lines whose order was already stored with the same values. */
  known: number;
  refused: Refusal[];
}

interface Candidate {
  number: number;
  order: CollectionOrder;
}

/** Refuses a line: the invalid member, and the problem. */
class Refused extends Error {
  readonly field: string | null;

  constructor(field: string | null, problem: string) {
    super(problem);
    this.field = field;
  }
}

/**
 * Stores a batch of historical orders in one transaction (D-049).
 *
 * Invariants: a line is stored completely or not at all, and a refused line does not affect the others. An order that
 * is already stored is not changed, so the same lines can be imported again.
 */
export async function importOrders(deps: ImportDeps, lines: readonly ImportLine[]): Promise<ImportResult> {
  const refused: Refusal[] = [];
  const attempt = (number: number, work: () => void): void => {
    try {
      work();
    } catch (error) {
      refused.push(refusalOf(number, error));
    }
  };

  const candidates: Candidate[] = [];
  for (const { number, bytes } of lines) {
    attempt(number, () => candidates.push({ number, order: readLine(deps, bytes) }));
  }
  return deps.db.transaction(async (tx) => {
    // The transaction may run again after a deadlock, so its result starts empty each time.
    const result: ImportResult = { imported: 0, known: 0, refused: [...refused] };
    let left = await storeFresh(deps, tx, candidates, result);
    // Another import may have stored these meanwhile: they are looked at once more (D-1463).
    if (left.length > 0) left = await storeFresh(deps, tx, left, result);
    const problem = 'Another order took one of its unique values during the import. Run the import again.';
    for (const { number } of left) result.refused.push({ number, field: null, problem });
    result.refused.sort((a, b) => a.number - b.number);
    return result;
  });
}

/** Stores the orders that are new, and adds to `result`. Returns those that could not be stored. */
async function storeFresh(
  deps: ImportDeps,
  tx: Tx,
  candidates: readonly Candidate[],
  result: ImportResult,
): Promise<Candidate[]> {
  const taken = await readTakenValues(deps, tx, candidates);
  const fresh: Candidate[] = [];
  for (const candidate of candidates) {
    try {
      if (taken.claim(candidate.order)) fresh.push(candidate);
      else result.known++;
    } catch (error) {
      result.refused.push(refusalOf(candidate.number, error));
    }
  }
  const inserted = deps.dry_run
    ? fresh.map(() => true)
    : await Promise.all(fresh.map(({ order }) => insertHistoricalOrder(tx, order)));
  result.imported += inserted.filter(Boolean).length;
  return fresh.filter((_, i) => inserted[i] === false);
}

function refusalOf(number: number, error: unknown): Refusal {
  if (error instanceof Refused) return { number, field: error.field, problem: error.message };
  if (error instanceof AppError) return { number, field: error.detail.field ?? null, problem: error.message };
  throw error;
}

function readLine({ token_key_id, clock }: ImportDeps, bytes: Buffer | null): CollectionOrder {
  if (bytes === null) throw new Refused(null, 'The line is too long to be an order.');
  let line;
  try {
    line = parseJson(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Refused(null, 'The line is not well-formed JSON in UTF-8.');
  }
  return readHistoricalOrder(line, token_key_id, clock.now());
}

/** The unique values of stored orders and of earlier lines of the batch. */
interface TakenValues {
  /**
   * Reserves the number and the other unique values of an order.
   *
   * @returns false if the same order is already stored
   * @throws Refused
   */
  claim(order: CollectionOrder): boolean;
}

async function readTakenValues(
  deps: ImportDeps,
  db: Parameters<typeof selectOrdersByNos>[0],
  candidates: readonly Candidate[],
): Promise<TakenValues> {
  const orders = candidates.map(({ order }) => order);
  const byMerchant = new Map<string, CollectionOrder[]>();
  for (const order of orders) {
    byMerchant.set(order.merchant_id, [...(byMerchant.get(order.merchant_id) ?? []), order]);
  }
  const unknown = [...byMerchant.keys()].filter((merchant_id) => !deps.merchants.has(merchant_id));
  const [owners, values] = await Promise.all([
    selectEventOwners(
      db,
      orders.flatMap(({ event_id }) => event_id ?? []),
    ),
    Promise.all(
      [...byMerchant].map(async ([merchant_id, of]) =>
        (await selectUniqueValues(db, merchant_id, of)).map((row) => ({ ...row, merchant_id })),
      ),
    ),
    Promise.all(
      unknown.map(async (merchant_id) => {
        deps.merchants.set(merchant_id, (await selectMerchant(db, merchant_id)) !== null);
      }),
    ),
  ]);
  // Last: an order that another import stores meanwhile is then known by its number, and is not taken for one that
  // holds its own values (D-1463).
  const stored = await selectOrdersByNos(
    db,
    orders.map(({ order_no }) => order_no),
  );
  const byNumber = new Map(stored.map((order) => [order.order_no, order]));
  const holders = new Map<string, string>();
  for (const { event_id, order_no } of owners) holders.set(`event ${event_id}`, order_no);
  for (const row of values.flat()) for (const { key } of uniqueKeysOf(row)) holders.set(key, row.order_no);

  return {
    claim(order) {
      if (deps.merchants.get(order.merchant_id) !== true) {
        throw new Refused('merchant_no', `There is no merchant ${merchantNo(order.merchant_id)}.`);
      }
      const there = byNumber.get(order.order_no);
      if (there !== undefined) return refuseUnlessSame(there, order);
      for (const { key, field } of uniqueKeysOf(order)) {
        const holder = holders.get(key);
        if (holder !== undefined) throw new Refused(field, `${field} is already used by order ${holder}.`);
      }
      byNumber.set(order.order_no, order);
      for (const { key } of uniqueKeysOf(order)) holders.set(key, order.order_no);
      return true;
    },
  };
}

function refuseUnlessSame(there: CollectionOrder, order: CollectionOrder): false {
  if (there.merchant_id !== order.merchant_id) {
    throw new Refused('order_no', `Order ${order.order_no} is another merchant’s.`);
  }
  if (there.fee_status !== 'legacy') {
    throw new Refused('order_no', `Order ${order.order_no} was made here and is not historical.`);
  }
  const [first, ...others] = differences(there, order);
  if (first === undefined) return false;
  const names = [first, ...others].join(', ');
  throw new Refused(first, `Order ${order.order_no} is already stored with another ${names}.`);
}

/** The values that only one order may have, and the member of each. */
function uniqueKeysOf(order: {
  merchant_id: string;
  idempotency_key: string;
  event_id: string | null;
  payment_no: string;
  provider_trade_no: string | null;
}): { key: string; field: string }[] {
  const { merchant_id, idempotency_key, event_id, payment_no, provider_trade_no } = order;
  return [
    { key: `key ${merchant_id} ${idempotency_key}`, field: 'idempotency_key' },
    ...(event_id === null ? [] : [{ key: `event ${event_id}`, field: 'event_id' }]),
    ...(provider_trade_no === null
      ? []
      : [{ key: `trade ${merchant_id} ${payment_no} ${provider_trade_no}`, field: 'provider_trade_no' }]),
  ];
}
