import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { type EndedAttemptRow, endAttempts } from './delivery-attempt.sql.ts';

interface Waiting {
  row: EndedAttemptRow;
  /** Real time from which on the result is worthless: the lease has run out. */
  until: Date;
  stored: () => void;
}

export interface AttemptEnds {
  /** Stores how an attempt ended; fulfilled when that is committed, or can no longer be. */
  end(merchant_id: string, row: EndedAttemptRow, until: Date): Promise<void>;
  /** From now on a result gets one try more: the process is stopping and cannot wait for the database. */
  hurry(): void;
}

/** Statements under way at once: results wait a moment and go together, instead of each alone. */
const writers = 4;
const batch = 128;
const retry_ms = 250;

/**
 * Stores results in batches: whatever has ended for a merchant while the writers were busy goes in one statement. What
 * cannot be stored is tried again as long as the lease lasts; then the attempt counts as interrupted.
 */
export function attemptEnds(db: Database, clock: Clock, log: Logger): AttemptEnds {
  const queues = new Map<string, Waiting[]>();
  let writing = 0;
  let hurried = false;

  function enqueue(merchant_id: string, items: Waiting[]): void {
    const queue = queues.get(merchant_id);
    if (queue === undefined) queues.set(merchant_id, [...items]);
    else queue.push(...items);
    if (writing >= writers) return;
    writing++;
    void drain().finally(() => writing--);
  }

  async function drain(): Promise<void> {
    for (;;) {
      // Lets everything that ended in this turn of the event loop join.
      await new Promise((resolve) => setImmediate(resolve));
      const [merchant_id] = queues.keys();
      if (merchant_id === undefined) return;
      const queue = queues.get(merchant_id) ?? [];
      queues.delete(merchant_id);
      const rest = queue.splice(batch);
      if (rest.length > 0) queues.set(merchant_id, rest);
      await store(merchant_id, queue);
    }
  }

  async function store(merchant_id: string, items: Waiting[]): Promise<void> {
    try {
      const rows = items.map(({ row }) => row);
      const ended = new Set(await endAttempts(db, merchant_id, rows));
      const late = rows.filter(({ event_id }) => !ended.has(event_id)).map(({ event_id }) => event_id);
      if (late.length > 0) {
        log.warn({ merchant_id, event_ids: late }, 'results came after their lease was taken over');
      }
      for (const { stored } of items) stored();
    } catch (error) {
      retryLater(merchant_id, items, error);
    }
  }

  function retryLater(merchant_id: string, items: Waiting[], error: unknown): void {
    const real = clock.real();
    const hopeless = items.filter(({ until }) => hurried || until <= real);
    if (hopeless.length > 0) {
      const event_ids = hopeless.map(({ row }) => row.event_id);
      log.error(
        { err: error, merchant_id, event_ids },
        'results of notification attempts could not be stored',
      );
      for (const { stored } of hopeless) stored();
    }
    const rest = items.filter((item) => !hopeless.includes(item));
    if (rest.length > 0) {
      setTimeout(() => {
        enqueue(merchant_id, rest);
      }, retry_ms);
    }
  }

  return {
    end: (merchant_id, row, until) =>
      new Promise((resolve) => {
        enqueue(merchant_id, [{ row, until, stored: resolve }]);
      }),
    hurry() {
      hurried = true;
    },
  };
}
