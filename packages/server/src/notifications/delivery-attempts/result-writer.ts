/** Stores the results of delivery attempts in batches. They change no order. */
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { endpointOf, noteResults, type ReceiverDeps, selectAnyFailing } from '../receivers/index.ts';
import { type DeliveryResult, endDeliveryAttempts } from './delivery-attempt.sql.ts';
import { takeTurns } from './result-turns.ts';

interface Waiting {
  result: DeliveryResult;
  /** When the lease ends; real time. A result is worthless after it. */
  lease_until: Date;
  resolve: () => void;
}

export interface ResultWriter {
  /** Stores a result. The promise resolves when it is committed, or when it was given up. It never rejects. */
  write(merchant_id: string, result: DeliveryResult, lease_until: Date): Promise<void>;
  /** Resolves when fewer than `max_waiting` results wait (D-721). */
  waitForRoom(): Promise<void>;
  /** The number of results of a merchant that wait to be stored: they take places of its next deliveries (D-761). */
  waitingOf(merchant_id: string): number;
  /** Gives up results at their next failure: the process stops and cannot wait for the database. */
  stopRetrying(): void;
}

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
  const room = createRoom(max_waiting);
  const enqueue = takeTurns(store);
  let retrying = true;

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
        room.enter(merchant_id);
        enqueue(merchant_id, [{ result, lease_until, resolve }]);
      }).finally(() => {
        room.leave(merchant_id);
      }),
    waitForRoom: room.wait,
    waitingOf: room.of,
    stopRetrying() {
      retrying = false;
    },
  };
}

interface Room {
  enter: (merchant_id: string) => void;
  leave: (merchant_id: string) => void;
  /** The number of results of a merchant inside. */
  of: (merchant_id: string) => number;
  /** Resolves when fewer than the maximum are inside. */
  wait: () => Promise<void>;
}

function createRoom(most: number): Room {
  const ofMerchants = new Map<string, number>();
  let inside = 0;
  let waiting: (() => void)[] = [];
  const of = (merchant_id: string): number => ofMerchants.get(merchant_id) ?? 0;
  return {
    of,
    enter(merchant_id) {
      inside++;
      ofMerchants.set(merchant_id, of(merchant_id) + 1);
    },
    leave(merchant_id) {
      inside--;
      if (of(merchant_id) > 1) ofMerchants.set(merchant_id, of(merchant_id) - 1);
      else ofMerchants.delete(merchant_id);
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
