/** Deletes rows that are in a verified file of the archive (D-470, D-475). */
import { recordAct } from '../../base/audit/index.ts';
import { InvariantError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import { type Database, isUniqueViolation, type Tx } from '../../base/pg/index.ts';
import type { Clock } from '../../base/time/clock.ts';
import {
  deleteEvents,
  insertArchivedOrders,
  lockEventsOf,
} from '../../notifications/delivery-records/index.ts';
import { deleteQuotes } from '../../payments/quotes/index.ts';
import {
  type ArchivedRow,
  type ArchiveFile,
  type FiledOrder,
  insertArchivedLines,
  readRowHashes,
  subjectsOf,
} from '../../seals/archive/index.ts';
import { insertBatch, selectNextBatchNo } from './batch.sql.ts';
import { lockOrders, selectClosedAmong } from './closed-order.sql.ts';
import { fileOrders } from './collect-part.ts';

export interface TakeOutDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
}

/** The file that has the rows, and the SHA-256 of its bytes in hex. */
export interface Filed {
  file: string;
  sha256: string;
  /** Only orders leave whose last change was before this time. */
  before: Date;
}

/** How much has left. */
export interface Left {
  orders: number;
  events: number;
  quotes: number;
}

/** Orders in one transaction: no payment waits long for the lock of an order. */
const batchSize = 100;
/** How often a batch is tried whose number another run takes meanwhile. */
const mostTries = 10;

/**
 * Deletes the rows of a file, some orders in each transaction. The file must have been verified, and be safe on the disk.
 *
 * Invariants:
 * - A row is deleted only if it is, at that moment, what the file has; all rows of an order leave together.
 * - The rows, the records that replace them, and the entry of the audit log change in one transaction. So a run that dies
 *   at any time can be repeated: orders that have left no longer count as closed orders, and are skipped.
 * - An order that has changed since the file was written stays whole.
 *
 * @param step called at each transaction, for tests that stop there
 * @returns what has left now
 */
export async function takeOut(
  deps: TakeOutDeps,
  archive: ArchiveFile,
  filed: Filed,
  step: () => Promise<void> = () => Promise.resolve(),
): Promise<Left> {
  const rows = new Map(archive.rows.map((row) => [`${row.kind} ${row.key}`, row]));
  const sum: Left = { orders: 0, events: 0, quotes: 0 };
  for (let i = 0; i < archive.orders.length; i += batchSize) {
    const orders = archive.orders.slice(i, i + batchSize);
    const left = await tryBatch(deps, { archive, filed, orders, rows });
    sum.orders += left.orders;
    sum.events += left.events;
    sum.quotes += left.quotes;
    await step();
  }
  return sum;
}

interface Batch {
  archive: ArchiveFile;
  filed: Filed;
  orders: readonly FiledOrder[];
  rows: ReadonlyMap<string, ArchivedRow>;
}

/** Takes a batch, again with the next number if another run that works beside this one took its number. */
async function tryBatch(deps: TakeOutDeps, batch: Batch): Promise<Left> {
  for (let tries = 1; ; tries++) {
    try {
      return await deps.db.transaction((tx) => takeBatch(deps, tx, batch));
    } catch (error) {
      if (tries === mostTries || !isUniqueViolation(error)) throw error;
    }
  }
}

async function takeBatch(deps: TakeOutDeps, tx: Tx, { archive, filed, orders, rows }: Batch): Promise<Left> {
  const { merchant_id, merchant_no } = archive;
  const order_nos = orders.map(({ order_no }) => order_no);
  await lockOrders(tx, merchant_id, order_nos);
  await lockEventsOf(tx, merchant_id, order_nos);
  const closed = await selectClosedAmong(tx, merchant_id, filed.before, order_nos);
  const now = new Map((await fileOrders(tx, merchant_id, closed)).map((order) => [order?.order_no, order]));
  const hashes = await readRowHashes(tx, merchant_id, orders.flatMap(subjectsOf));
  const isSame = (order: FiledOrder): boolean => {
    const other = now.get(order.order_no);
    return (
      other !== undefined &&
      other !== null &&
      textOf(other) === textOf(order) &&
      subjectsOf(order).every((subject) => hashes.get(subject) === rows.get(subject)?.hash)
    );
  };
  const leaving = orders.filter(isSame).flatMap(({ order_no }) => now.get(order_no) ?? []);
  if (leaving.length === 0) return { orders: 0, events: 0, quotes: 0 };
  const lines = leaving.flatMap((order) => subjectsOf(order).flatMap((subject) => rows.get(subject) ?? []));
  const batch = {
    ...{ merchant_id, batch_no: await selectNextBatchNo(tx, merchant_id) },
    ...{ file: filed.file, sha256: filed.sha256, archived_at: deps.clock.now() },
  };
  await insertArchivedOrders(tx, batch, leaving);
  await insertArchivedLines(tx, batch, lines, archive.seals);
  const digest = await insertBatch(
    tx,
    batch,
    leaving.map(({ order_no }) => order_no),
    lines.map(({ seal_no }) => seal_no),
  );
  const events = leaving.flatMap((order) => order.events.map(([event_id]) => event_id));
  const quotes = leaving.flatMap(({ order_no, method_ids }) =>
    method_ids.map((method_id) => ({ order_no, method_id })),
  );
  const gone = (await deleteEvents(tx, merchant_id, events)) + (await deleteQuotes(tx, merchant_id, quotes));
  if (gone !== lines.length) throw new InvariantError('rows of an archived order were deleted past its lock');
  const { file, sha256 } = filed;
  const after = {
    merchant_id,
    batch_no: batch.batch_no.toString(),
    file,
    sha256,
    orders: leaving.length,
    digest,
  };
  const target = `archive:${merchant_no}/${batch.batch_no.toString()}`;
  await recordAct(tx, deps, { actor: 'command', action: 'archive.orders', target, after });
  return { orders: leaving.length, events: events.length, quotes: quotes.length };
}

const textOf = ({ order_no, events, confirmed, order_digest, method_ids }: FiledOrder): string =>
  JSON.stringify([order_no, events, confirmed, order_digest, method_ids]);
