/** Notes that a buyer has opened the checkout of an order, for the merchant's funnel. */
import { type Clock, later, minutes } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { CollectionOrder } from '../orders/index.ts';
import { insertOpenings, type Opening } from './opening.sql.ts';

/**
 * The checkouts that were opened at this process. Invariant: no page waits for its note (D-330). Notes are collected in
 * memory and written together; where memory is full or the database fails, they are lost. An order that was paid counts
 * as opened in any case.
 */
export interface OpeningNotes {
  note: (order: Pick<CollectionOrder, 'merchant_id' | 'order_no' | 'created_at'>) => void;
  /** Writes what is collected by now; returns how many. Throws where the database fails: those notes are lost. */
  flush(): Promise<number>;
}

/** Sums are kept of orders that are an hour old: the rest is for a statement, and for clocks that differ. */
const late_ms = minutes(30);

type Note = Omit<Opening, 'is_late'> & Pick<CollectionOrder, 'created_at'>;

/** Maximum number of orders in memory, and in one statement. */
const maxHeld = 2_000;

export function createOpeningNotes({ db, clock }: { db: Database; clock: Clock }): OpeningNotes {
  const held = new Map<string, Note>();
  return {
    note: ({ merchant_id, order_no, created_at }) => {
      const key = `${merchant_id} ${order_no}`;
      if (held.size >= maxHeld || held.has(key)) return;
      held.set(key, { merchant_id, order_no, created_at, opened_at: clock.now() });
    },
    async flush() {
      const taken = [...held.values()];
      held.clear();
      const before = later(clock.now(), -late_ms);
      const openings = taken.map((note) => ({ ...note, is_late: note.created_at < before }));
      if (taken.length > 0) await insertOpenings(db, openings);
      return taken.length;
    },
  };
}
