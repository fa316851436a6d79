import type { Database } from '../../base/pg/index.ts';
import { insertTokens, type TokenRow } from './token.sql.ts';

/** Stores a token; it is there when the promise is fulfilled. */
export type WriteToken = (token: TokenRow) => Promise<void>;

/** So many go into one statement. */
const most = 200;
/** So many statements are under way at once: a second one keeps the database busy while the first is answered. */
const lanes = 2;

interface Waiting {
  token: TokenRow;
  stored: () => void;
  failed: (reason: unknown) => void;
}

/**
 * Stores tokens that belong to no grant. Those that come while a statement is under way go into the next one
 * together: so whoever is alone does not wait, and a crowd costs one statement and one commit.
 */
export function createTokenWriter(db: Database): WriteToken {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let called = false;

  function next(): void {
    called = false;
    while (underWay < lanes && waiting.length > 0) void store(waiting.splice(0, most));
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    underWay += 1;
    try {
      await insertTokens(
        db,
        batch.map(({ token }) => token),
      );
      for (const { stored } of batch) stored();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      underWay -= 1;
      next();
    }
  }

  return (token) =>
    new Promise((stored, failed) => {
      waiting.push({ token, stored, failed });
      if (called) return;
      called = true;
      // At the end of this turn of the event loop, when all that came in it are here.
      setImmediate(next);
    });
}
