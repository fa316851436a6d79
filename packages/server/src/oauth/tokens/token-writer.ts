/** Stores access tokens of the client-credentials grant in batches. */
import type { Database } from '../../base/pg/index.ts';
import { insertTokens, type TokenRow } from './token.sql.ts';

/** Stores a token. The promise resolves when the token is committed, and rejects when its statement failed. */
export type WriteToken = (token: TokenRow) => Promise<void>;

/** Maximum number of tokens in one statement. */
const batchSize = 200;
/** Maximum number of statements under way: the second keeps the database busy while the first is answered. */
const maxStatements = 2;

interface Waiting {
  token: TokenRow;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Stores tokens that belong to no grant. Tokens that arrive while statements are under way go together into the next
 * one: a single token does not wait, and many cost one statement and one commit. Invariant: each token is in exactly
 * one statement, and a failed statement rejects only its own tokens.
 */
export function createTokenWriter(db: Database): WriteToken {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let scheduled = false;

  function startStatements(): void {
    scheduled = false;
    while (underWay < maxStatements && waiting.length > 0) void store(waiting.splice(0, batchSize));
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    underWay += 1;
    try {
      await insertTokens(
        db,
        batch.map(({ token }) => token),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      startStatements();
    }
  }

  return (token) =>
    new Promise((resolve, reject) => {
      waiting.push({ token, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      // After this turn of the event loop, so that all tokens of the turn go together.
      setImmediate(startStatements);
    });
}
