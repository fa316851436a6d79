import { setImmediate as endOfTurn } from 'node:timers/promises';
import type pg from 'pg';
import { isUnreachable, sqlState } from './db-errors.ts';
import { openLane } from './lane.ts';
import { runBatch } from './statement-batch.ts';
import { demanded, queryOf, type Write } from './statements.ts';
import { borrowed, type Connection, transact } from './transactions.ts';

/** A transaction that consists of writes alone, each list a statement. */
interface Job {
  /** Whose rows it writes that others write as well. */
  of: string;
  lists: Write[][];
}

interface Waiting extends Job {
  resolve: (outcome: void | Promise<void>) => void;
  reject: (error: unknown) => void;
}

/** How many groups are under way on the connection: the next is there when the server has done the last. */
const deep = 2;
/** How many make a group; more where more wait, so that no more than `deep` groups are ahead of any of them. */
const few = 3;
const many = 16;
/** How long a group may be held up, by a lock or a slow disk, before others take another way. */
const patience_ms = 50;

/** Whoever waits for a lock for longer does so on a connection of its own, and holds nobody up. */
const shortWaits = {
  name: 'short_waits',
  text: `SELECT set_config('lock_timeout', '${patience_ms}ms', true)`,
  values: [],
};

/**
 * Runs transactions of writes alone: those that come together as one message and one transaction, on one connection
 * (docs/adr/0001). Where the database refuses anything of it, nothing of it has happened, and each is run again in the
 * ordinary way, which tells what was refused: none fails for another.
 */
export function openGroupCommit(pool: pg.Pool): (job: Job) => Promise<void> {
  const onLane = openLane({
    deep,
    patience_ms,
    open(lost) {
      const { connection, giveBack } = borrowed(pool, lost);
      return { it: connection, giveBack };
    },
  });
  const waiting: Waiting[] = [];

  async function commitGroup(connection: Connection): Promise<void> {
    // What follows in the same turn of the event loop comes along.
    await endOfTurn();
    const group = waiting.splice(0, Math.min(many, Math.max(few, Math.ceil(waiting.length / deep))));
    // Others have taken it along.
    if (group.length === 0) return;
    try {
      const committed = await committedAtOnce(connection, group);
      for (const { lists, resolve } of group) {
        resolve(committed ? undefined : transact(pool, (tx) => tx.finish(...lists)));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return ({ of, lists }) =>
    new Promise((resolve, reject) => {
      waiting.push({ of, lists: lists.filter((list) => list.length > 0), resolve, reject });
      // As many turns as jobs, and each takes one at least. One that got no connection takes one with it.
      onLane(commitGroup).catch((error: unknown) => waiting.shift()?.reject(error));
    });
}

/**
 * Transactions of writes alone as one, in one message.
 *
 * @returns false, and nothing has happened, where the database refused anything of it
 */
async function committedAtOnce({ client, discard }: Connection, group: readonly Job[]): Promise<boolean> {
  const statements = inLockOrder(group).map((writes) => queryOf(demanded(writes)));
  try {
    await runBatch(client, [shortWaits, ...statements]);
    return true;
  } catch (error) {
    if (sqlState(error) !== undefined && !isUnreachable(error)) return false;
    // Told here before the connection itself says so.
    if (isUnreachable(error)) discard(error as Error);
    throw error;
  }
}

/**
 * The lists of several transactions as one takes their locks: all the first ones, then all the second ones, each in the
 * order of whose they are. Groups of several processes so wait for one another without a deadlock.
 */
export function inLockOrder(group: readonly Job[]): Write[][] {
  const ordered = group.toSorted((a, b) => (a.of < b.of ? -1 : Number(a.of > b.of)));
  const most = Math.max(...ordered.map(({ lists }) => lists.length));
  return Array.from({ length: most }, (_, i) => ordered.flatMap(({ lists }) => lists.slice(i, i + 1))).flat();
}
