import { setImmediate as endOfTurn } from 'node:timers/promises';
import type pg from 'pg';
import { isTimedOut, isUnreachable, sqlState } from './driver/db-errors.ts';
import { openLane } from './driver/lane.ts';
import { type BatchStatement, runBatch, wasNotPrepared } from './driver/statement-batch.ts';
import { guardedStatement, queryOf, type Write } from './statements.ts';
import { borrowConnection, type Connection } from './transactions.ts';
import { readyToSend } from './driver/wire.ts';

/** Writes to the rows of one owner. They are sent as one statement. */
export interface OwnedWrites {
  /** Whose rows they are: of a merchant's book, or of a person's wallet. Locks are taken in the order of owners. */
  owner: string;
  writes: Write[];
}

/** A transaction that consists of writes alone, and the caller that waits for it. */
interface Job {
  statements: readonly (BatchStatement & { owner: string })[];
  /** When it was given, in milliseconds of this process. */
  since: number;
  /** Whether it was committed. */
  resolve: (committed: boolean) => void;
  reject: (error: unknown) => void;
}

/** Groups under way on the connection at once: the server never waits for the next one. */
const maxGroupsUnderWay = 2;
/** A group takes half of the waiting jobs, within these limits. */
const minJobs = 3;
const maxJobs = 16;
/**
 * How long a group waits for a lock: the shortest time that the database can be told. What a job was decided by was read
 * before, so a job that has to wait is decided anew behind the lock.
 */
const lock_wait_ms = 1;
/** After this time, nothing is queued behind a group. Longer than its waits for locks: for a slow disk or network. */
const patience_ms = 250;
/** A job that has waited longer is not sent: what it was decided by may no longer hold. */
const maxAge_ms = 1_000;

/**
 * Commits transactions that consist of writes alone in groups: jobs that arrive together become one message and one
 * transaction on one connection (docs/adr/0001).
 *
 * It keeps these promises:
 * - A job commits completely or not at all, and its caller learns which.
 * - No job fails because of another. If the database refuses a job, nothing of its group has happened: the other jobs
 *   run again as a group, once and at once.
 * - No job runs again later. A job that is refused, that would have to wait for a lock or that has become old is given
 *   back: its caller locks, reads anew and decides anew.
 * - If the connection is lost, the outcome is unknown, so no job of the group is retried: each fails with that error
 *   (H-25).
 *
 * @returns runs one job, each part a statement, and tells whether it was committed: if not, nothing of it has happened
 */
export function openGroupCommit(pool: pg.Pool): (parts: readonly OwnedWrites[]) => Promise<boolean> {
  const onLane = openLane({
    max_under_way: maxGroupsUnderWay,
    patience_ms,
    open: (lost) => borrowConnection(pool, lost),
  });
  const waiting: Job[] = [];

  async function commitGroup({ client, discard }: Connection): Promise<void> {
    // Jobs of the same turn of the event loop join the group. Other groups may have left none.
    await endOfTurn();
    const taken = waiting.splice(0, Math.min(maxJobs, Math.max(minJobs, Math.ceil(waiting.length / 2))));
    const isOld = ({ since }: Job): boolean => performance.now() - since > maxAge_ms;
    for (const { resolve } of taken.filter(isOld)) resolve(false);
    let group = taken.filter((job) => !isOld(job));
    for (let tries = 1; group.length > 0; tries++) {
      const outcome = await sendGroup(client, group).catch((unknown: unknown) => ({ unknown }));
      if (outcome === 'committed') {
        for (const { resolve } of group) resolve(true);
        return;
      }
      if ('unknown' in outcome) {
        // A lost connection is discarded here already, before its own event says so.
        if (isUnreachable(outcome.unknown)) discard(outcome.unknown as Error);
        for (const { reject } of group) reject(outcome.unknown);
        return;
      }
      const refused = tries === 1 ? outcome.refused : group;
      for (const { resolve } of refused) resolve(false);
      group = group.filter((job) => !refused.includes(job));
    }
  }

  return (parts) =>
    new Promise((resolve, reject) => {
      const written = parts.filter(({ writes }) => writes.length > 0);
      // A statement that cannot be sent fails here, before it shares a message with others.
      const statements = written.map(({ owner, writes }) => {
        const query = queryOf(guardedStatement(writes));
        return { owner, text: query.text, ...readyToSend(query) };
      });
      waiting.push({ statements, since: performance.now(), resolve, reject });
      // There are as many turns as jobs, and a turn takes at least one job. A turn without connection fails one.
      onLane(commitGroup).catch((error: unknown) => waiting.shift()?.reject(error));
    });
}

/** Limits a group's waits for locks. A job that would have to wait longer is refused, and delays no other. */
const shortWaits = {
  name: 'short_waits',
  text: `SELECT set_config('lock_timeout', '${lock_wait_ms}ms', true)`,
  values: [],
};

/** The result of a group. `refused`: nothing has happened; the list may be empty. `unknown`: it may have committed. */
type Outcome = 'committed' | { refused: Job[] } | { unknown: unknown };

/** Sends a group as one transaction, in one message. */
async function sendGroup(client: pg.PoolClient, group: readonly Job[]): Promise<Outcome> {
  const ordered = inLockOrder(group);
  const failure = await runBatch(client, [shortWaits, ...ordered.map(({ statement }) => statement)]);
  if (failure === null) return 'committed';
  const { error, executed } = failure;
  // A statement that timed out would do so again: it is not retried.
  if (sqlState(error) === undefined || isUnreachable(error) || isTimedOut(error)) return { unknown: error };
  if (wasNotPrepared(error)) return { refused: [] };
  const refused = ordered[executed - 1]?.job;
  return { refused: refused === undefined ? [...group] : [refused] };
}

/**
 * Orders the statements of several transactions by the locks that they take: all first statements, then all second
 * ones, each by owner. So groups of several processes never wait for each other in a circle.
 */
export function inLockOrder<J extends Pick<Job, 'statements'>>(
  group: readonly J[],
): { job: J; statement: J['statements'][number] }[] {
  const most = Math.max(...group.map(({ statements }) => statements.length));
  return Array.from({ length: most }, (_, i) =>
    group
      .flatMap((job) => job.statements.slice(i, i + 1).map((statement) => ({ job, statement })))
      .toSorted(({ statement: { owner: a } }, { statement: { owner: b } }) => (a < b ? -1 : Number(a > b))),
  ).flat();
}
