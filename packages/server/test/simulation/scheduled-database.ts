import type { Database, Sql, Row, Write, Tx } from '../../src/base/pg/index.ts';
import type { CardProvider } from '../../src/channels/card.ts';
import type { Actor } from './scheduler.ts';

/**
 * Maximum number of open transactions of one actor: enough for conflicts, and below the size of the pool, because the
 * scheduler cannot see a wait for a connection.
 */
const mostTransactions = 2;

/** A database in which every statement and every commit waits for its actor's turn. */
export function scheduledDatabase(db: Database, actor: Actor): Database {
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    await actor.turn();
    return actor.during(ask);
  };
  const queue = createQueue(mostTransactions);
  return {
    get isDistributed() {
      return db.isDistributed === true;
    },
    lookups: { query: (statement) => inTurn(() => db.lookups.query(statement)) },
    query: (statement) => inTurn(() => db.query(statement)),
    writeOnce: (writes) => inTurn(() => db.writeOnce(writes)),
    finish: (...lists) => inTurn(() => db.finish(...lists)),
    transaction: (work, { waitFirst, ...options } = {}) =>
      // Counts as under way from beginning to end, except while it waits: the time between two statements is nobody's
      // turn.
      queue(() =>
        actor.during(() =>
          db.transaction((tx) => scheduledWork(tx, work, actor), {
            ...options,
            ...(waitFirst === undefined ? {} : { waitFirst: (tx) => scheduledWork(tx, waitFirst, actor) }),
          }),
        ),
      ),
    askTime: () => db.askTime(),
    listen: (channel, wake) => db.listen(channel, wake),
    hears: () => db.hears(),
    checkLookups: () => db.checkLookups(),
    checkListeners: () => db.checkListeners(),
    close: () => db.close(),
    abort: () => {
      db.abort();
    },
  };
}

/** Runs so many at a time, the others one after the other in the order they came. */
function createQueue(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

async function scheduledWork<T>(tx: Tx, work: (tx: Tx) => Promise<T>, actor: Actor): Promise<T> {
  let waiting = 0;
  let sent = 0;
  let rests = false;
  /** Statements of one transaction that wait keep it under way only while another of them is. */
  const note = (): void => {
    if (rests !== (waiting > 0 && sent === 0)) {
      rests = !rests;
      actor.rest(rests);
    }
  };
  const all: Promise<unknown>[] = [];
  const inTurn = <R>(ask: () => Promise<R>): Promise<R> => {
    const answer = sentInTurn(ask);
    all.push(answer);
    return answer;
  };
  const sentInTurn = async <R>(ask: () => Promise<R>): Promise<R> => {
    waiting++;
    note();
    try {
      await actor.turn();
    } finally {
      waiting--;
      sent++;
      note();
    }
    try {
      return await ask();
    } finally {
      sent--;
      note();
    }
  };
  let open = true;
  const isOpen = (): boolean => open;
  const begun = work({
    query: <R extends Row>(statement: Sql) => inTurn(() => tx.query<R>(statement)),
    write: (writes: Write[]) => inTurn(() => tx.write(writes)),
    finish: (...lists: Write[][]) => {
      open = false;
      return inTurn(() => tx.finish(...lists));
    },
  } as Tx);
  // Statements that were sent together with a failed one also reach the database before the transaction ends.
  const result = await begun.catch(async (error: unknown) => {
    await Promise.allSettled(all);
    throw error;
  });
  // A crash just before the commit.
  if (isOpen()) await inTurn(() => Promise.resolve());
  return result;
}

/** Methods that answer at once, without a request. */
const own: ReadonlySet<string | symbol> = new Set<keyof CardProvider>(['checkKey', 'verifyWebhook']);

/** A card provider whose every request waits for its actor's turn, and whose every answer can be lost in a crash. */
export function scheduledProvider(cards: CardProvider, actor: Actor): CardProvider {
  return new Proxy(cards, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || own.has(name)) return method;
      return async (...args: unknown[]): Promise<unknown> => {
        await actor.turn();
        const answer: unknown = await actor.during(() => Promise.resolve(method.apply(target, args)));
        await actor.turn();
        return answer;
      };
    },
  });
}
