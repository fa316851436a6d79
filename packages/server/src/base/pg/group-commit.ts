import { setImmediate as endOfTurn } from 'node:timers/promises';
import type pg from 'pg';
import { isTimedOut, isUnreachable, sqlState } from './db-errors.ts';
import { openLane } from './lane.ts';
import { type BatchStatement, runBatch, wasNotPrepared } from './statement-batch.ts';
import { demanded, queryOf, type Write } from './statements.ts';
import { borrowed, type Connection, transact } from './transactions.ts';
import { readyToSend } from './wire.ts';

/** Writes to the rows of one owner, which are one statement. */
export interface Part {
  /** Whose rows they are: of a merchant's book, or of a person's wallet. */
  of: string;
  writes: Write[];
}

/** A transaction that consists of writes alone, and who waits for it. */
interface Job {
  parts: readonly Part[];
  statements: readonly (BatchStatement & { of: string })[];
  resolve: (outcome: void | Promise<void>) => void;
  reject: (error: unknown) => void;
}

/** How many groups are under way on the connection: the next is there when the server has done the last. */
const deep = 2;
/** A group is half of those that wait: so many at least, and so many at most. */
const few = 3;
const many = 16;
/** How long a group waits for a lock. */
const lock_wait_ms = 50;
/** After which nothing more is put behind a group: longer than its waits for locks, so for a slow disk or network. */
const patience_ms = 250;

/**
 * Runs transactions of writes alone: those that come together as one message and one transaction, on one connection
 * (docs/adr/0001). Where the database refuses one of them, nothing of the group has happened: the others are run again
 * together, and that one in the ordinary way, which tells what was refused. None fails for another. What became of a group
 * whose connection was lost nobody knows: none of it is run again, and each is told that error (H-25).
 *
 * @returns runs one, each part a statement; throws as `Tx.finish` does
 */
export function openGroupCommit(pool: pg.Pool): (parts: readonly Part[]) => Promise<void> {
  const onLane = openLane({
    deep,
    patience_ms,
    open(lost) {
      const { connection, giveBack } = borrowed(pool, lost);
      return { it: connection, giveBack };
    },
  });
  const waiting: Job[] = [];

  /** Waits as long as it takes, on a connection of its own. */
  const commitAlone = ({ parts, resolve }: Job): void => {
    resolve(transact(pool, (tx) => tx.finish(...parts.map(({ writes }) => writes))));
  };

  async function commitGroup({ client, discard }: Connection): Promise<void> {
    // What follows in the same turn of the event loop comes along; what others have taken along is none.
    await endOfTurn();
    let group = waiting.splice(0, Math.min(many, Math.max(few, Math.ceil(waiting.length / 2))));
    for (let tries = 1; group.length > 0; tries++) {
      const outcome = await committed(client, group).catch((unknown: unknown) => ({ unknown }));
      if (outcome === 'committed') {
        for (const { resolve } of group) resolve();
        return;
      }
      if ('unknown' in outcome) {
        // Told here before the connection itself says so.
        if (isUnreachable(outcome.unknown)) discard(outcome.unknown as Error);
        for (const { reject } of group) reject(outcome.unknown);
        return;
      }
      // Nobody awaits who goes on alone: they need a connection each, and this one only ends with its turn.
      const alone = tries === 1 ? outcome.refused : group;
      alone.forEach(commitAlone);
      group = group.filter((job) => !alone.includes(job));
    }
  }

  return (parts) =>
    new Promise((resolve, reject) => {
      const written = parts.filter(({ writes }) => writes.length > 0);
      // What cannot be sent fails here, before anybody shares a message with it.
      const statements = written.map(({ of, writes }) => {
        const query = queryOf(demanded(writes));
        return { of, text: query.text, ...readyToSend(query) };
      });
      waiting.push({ parts: written, statements, resolve, reject });
      // As many turns as jobs, and each takes one at least. One that got no connection takes one with it.
      onLane(commitGroup).catch((error: unknown) => waiting.shift()?.reject(error));
    });
}

/** Whoever waits for a lock for longer does so alone, and holds nobody up. */
const shortWaits = {
  name: 'short_waits',
  text: `SELECT set_config('lock_timeout', '${lock_wait_ms}ms', true)`,
  values: [],
};

/** What became of a group: nothing has happened where some were `refused`, which may be none; else nobody knows. */
type Outcome = 'committed' | { refused: Job[] } | { unknown: unknown };

/** Sends a group as one transaction, in one message. */
async function committed(client: pg.PoolClient, group: readonly Job[]): Promise<Outcome> {
  const ordered = inLockOrder(group);
  const failure = await runBatch(client, [shortWaits, ...ordered.map(({ statement }) => statement)]);
  if (failure === null) return 'committed';
  const { error, executed } = failure;
  // One that took too long did so before: it is not begun again.
  if (sqlState(error) === undefined || isUnreachable(error) || isTimedOut(error)) return { unknown: error };
  if (wasNotPrepared(error)) return { refused: [] };
  const refused = ordered[executed - 1]?.job;
  return { refused: refused === undefined ? [...group] : [refused] };
}

/**
 * The statements of several transactions as one takes their locks: all the first ones, then all the second ones, each in the
 * order of whose rows they write. So groups of several processes wait for one another, but not for each other.
 */
export function inLockOrder<J extends Pick<Job, 'statements'>>(
  group: readonly J[],
): { job: J; statement: J['statements'][number] }[] {
  const most = Math.max(...group.map(({ statements }) => statements.length));
  return Array.from({ length: most }, (_, i) =>
    group
      .flatMap((job) => job.statements.slice(i, i + 1).map((statement) => ({ job, statement })))
      .toSorted(({ statement: a }, { statement: b }) => (a.of < b.of ? -1 : Number(a.of > b.of))),
  ).flat();
}
