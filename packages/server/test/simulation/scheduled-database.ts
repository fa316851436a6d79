import type { Database, Row, Sql, Tx, Write } from '../../src/base/db.ts';
import type { CardProvider } from '../../src/channels/card.ts';
import type { Actor } from './scheduler.ts';

/** A database whose every statement, and every commit, waits for its actor's turn. */
export function scheduledDatabase(db: Database, actor: Actor): Database {
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    await actor.turn();
    return actor.during(ask);
  };
  return {
    lookups: { query: (statement) => inTurn(() => db.lookups.query(statement)) },
    query: (statement) => inTurn(() => db.query(statement)),
    writeOnce: (writes) => inTurn(() => db.writeOnce(writes)),
    transaction: (work) =>
      db.transaction(async (tx) => {
        let finished = false;
        const scheduled = {
          query: <R extends Row>(statement: Sql) => inTurn(() => tx.query<R>(statement)),
          write: (writes: Write[]) => inTurn(() => tx.write(writes)),
          finish: (...lists: Write[][]) => {
            finished = true;
            return inTurn(() => tx.finish(...lists));
          },
        } as Tx;
        const result = await work(scheduled);
        // A crash just before the commit.
        if (!finished) await actor.turn();
        return result;
      }),
    listen: (channel, wake) => db.listen(channel, wake),
    close: () => db.close(),
  };
}

/** A card provider whose every request waits for its actor's turn, and whose every answer can be lost in a crash. */
export function scheduledProvider(cards: CardProvider, actor: Actor): CardProvider {
  return new Proxy(cards, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || name === 'verifyWebhook') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        await actor.turn();
        const answer: unknown = await actor.during(() => Promise.resolve(method.apply(target, args)));
        await actor.turn();
        return answer;
      };
    },
  });
}
