/** Stores the results of delivery attempts in batches. They change no order. */
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { endpointOf, noteResults, type ReceiverDeps, selectAnyFailing } from '../receivers/index.ts';
import { type DeliveryResult, endDeliveryAttempts } from './delivery-attempt.sql.ts';

interface Waiting {
  result: DeliveryResult;
  /** When the lease ends; real time. A result is worthless after it. */
  lease_until: Date;
  resolve: () => void;
}

export interface ResultWriter {
  /** Stores a result. The promise resolves when it is committed, or when it was given up. It never rejects. */
  write(merchant_id: string, result: DeliveryResult, lease_until: Date): Promise<void>;
  /** Resolves when fewer than `max_waiting` results wait. */
  waitForRoom(): Promise<void>;
  /** Gives up results at their next failure: the process stops and cannot wait for the database. */
  stopRetrying(): void;
}

/** Maximum number of statements under way. Other results wait for one of them and then go together. */
const maxStatements = 4;
const batchSize = 128;
const retry_ms = 250;

export interface ResultWriterDeps extends ReceiverDeps {
  db: Database;
  log: Logger;
  max_waiting: number;
}

/**
 * Stores the waiting results of a merchant in one statement. Invariant: a result that cannot be stored is tried again
 * until its lease ends. Then it is given up, and the worker that takes the event over counts the attempt as interrupted
 * (D-143).
 */
export function createResultWriter(deps: ResultWriterDeps): ResultWriter {
  const { clock, log, max_waiting } = deps;
  const queues = new Map<string, Waiting[]>();
  let underWay = 0;
  const room = createRoom(max_waiting);
  let retrying = true;

  function enqueue(merchant_id: string, items: Waiting[]): void {
    const queue = queues.get(merchant_id);
    if (queue === undefined) queues.set(merchant_id, [...items]);
    else queue.push(...items);
    if (underWay >= maxStatements) return;
    underWay++;
    void drain().finally(() => underWay--);
  }

  async function drain(): Promise<void> {
    for (;;) {
      // Waits for all results of this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const [merchant_id] = queues.keys();
      if (merchant_id === undefined) return;
      const queue = queues.get(merchant_id) ?? [];
      queues.delete(merchant_id);
      const rest = queue.splice(batchSize);
      if (rest.length > 0) queues.set(merchant_id, rest);
      await store(merchant_id, queue);
    }
  }

  async function store(merchant_id: string, items: Waiting[]): Promise<void> {
    try {
      const results = items.map(({ result }) => result);
      const ended = new Set(await endAttempts(deps, merchant_id, results));
      const late = results.filter(({ event_id }) => !ended.has(event_id)).map(({ event_id }) => event_id);
      if (late.length > 0) {
        log.warn(
          { merchant_id, event_ids: late },
          'notification results were dropped: another worker has taken over their events',
        );
      }
      for (const { resolve } of items) resolve();
    } catch (error) {
      retryLater(merchant_id, items, error);
    }
  }

  function retryLater(merchant_id: string, items: Waiting[], error: unknown): void {
    const real = clock.real();
    const givenUp = items.filter(({ lease_until }) => !retrying || lease_until <= real);
    if (givenUp.length > 0) {
      const event_ids = givenUp.map(({ result }) => result.event_id);
      log.error(
        { err: error, merchant_id, event_ids },
        'results of notification attempts could not be stored: the attempts will count as interrupted',
      );
      for (const { resolve } of givenUp) resolve();
    }
    const rest = items.filter((item) => !givenUp.includes(item));
    if (rest.length > 0) {
      setTimeout(() => {
        enqueue(merchant_id, rest);
      }, retry_ms);
    }
  }

  return {
    write: (merchant_id, result, lease_until) =>
      new Promise<void>((resolve) => {
        room.enter();
        enqueue(merchant_id, [{ result, lease_until, resolve }]);
      }).finally(room.leave),
    waitForRoom: room.wait,
    stopRetrying() {
      retrying = false;
    },
  };
}

interface Room {
  enter: () => void;
  leave: () => void;
  /** Resolves when fewer than the maximum are inside. */
  wait: () => Promise<void>;
}

function createRoom(most: number): Room {
  let inside = 0;
  let waiting: (() => void)[] = [];
  return {
    enter: () => void inside++,
    leave() {
      inside--;
      if (inside >= most) return;
      for (const lookAgain of waiting) lookAgain();
      waiting = [];
    },
    async wait() {
      while (inside >= most) await new Promise<void>((lookAgain) => waiting.push(lookAgain));
    },
  };
}

/**
 * Stores the results, and counts them at their receivers in the same transaction where one of them fails or has failed.
 *
 * @returns the events whose result was stored
 */
async function endAttempts(
  { db, clock, ids, mail }: ResultWriterDeps,
  merchant_id: string,
  results: DeliveryResult[],
): Promise<string[]> {
  const endpoints = [...new Set(results.map(({ url }) => endpointOf(url)))];
  const counts =
    results.some(({ error }) => error !== null) || (await selectAnyFailing(db, merchant_id, endpoints));
  if (!counts) return endDeliveryAttempts(db, merchant_id, results);
  const { ended, told } = await db.transaction(async (tx) => {
    const ended = await endDeliveryAttempts(tx, merchant_id, results);
    const counted = results.filter(({ event_id }) => ended.includes(event_id));
    const told = await noteResults(tx, { clock, ids, mail }, merchant_id, counted);
    return { ended, told };
  });
  if (told) mail?.wake();
  return ended;
}
