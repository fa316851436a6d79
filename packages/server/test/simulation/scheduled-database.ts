import type { Database, Sql, Row, Write, Tx } from '../../src/base/pg/index.ts';
import type { CardProvider } from '../../src/channels/card/card-provider.ts';
import type { Actor } from './scheduler.ts';

/**
 * Maximum number of open transactions of one actor: enough for conflicts, and below the size of the pool, because the
 * scheduler cannot see a wait for a connection.
 */
const mostTransactions = 2;

/** A database in which every statement and every commit waits for its actor's turn. */
export function scheduledDatabase(db: Database, actor: Actor): Database {
  const inTurn = <T>(ask: () => Promise<T>, counts?: 1 | 2): Promise<T> =>
    sentInTurn(actor, actor.place(), () => actor.during(ask, counts));
  const queue = createQueue(mostTransactions);
  return {
    get isDistributed() {
      return db.isDistributed === true;
    },
    lookups: { query: (statement) => inTurn(() => db.lookups.query(statement)) },
    query: (statement) => inTurn(() => db.query(statement)),
    writeOnce: (writes) => inTurn(() => db.writeOnce(writes)),
    // It does not wait for locks.
    finish: (...lists) => inTurn(() => db.finish(...lists), 2),
    transaction: (work, { waitFirst, ...options } = {}) => {
      const turn = actor.place();
      const inTurns =
        <T>(steps: (tx: Tx) => Promise<T>) =>
        (tx: Tx) =>
          scheduledWork(tx, steps, actor, turn);
      // Counts as under way from beginning to end, except while it waits: the time between two statements is nobody's
      // turn.
      return queue(() =>
        actor.during(() =>
          db.transaction(inTurns(work), {
            ...options,
            ...(waitFirst === undefined ? {} : { waitFirst: inTurns(waitFirst) }),
          }),
        ),
      );
    },
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

/**
 * Sends when it is the actor's turn. An answer that had to wait for a lock, so that others went on meanwhile, waits for a
 * turn of its own: nothing goes on beside another, in an order that nobody has chosen.
 */
async function sentInTurn<T>(actor: Actor, turn: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
  await turn();
  const sentAt = actor.turns();
  try {
    return await ask();
  } finally {
    if (actor.turns() !== sentAt) await turn();
  }
}

async function scheduledWork<T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
  actor: Actor,
  turn: () => Promise<void>,
): Promise<T> {
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
  const restingTurn = async (): Promise<void> => {
    waiting++;
    note();
    try {
      await turn();
    } finally {
      waiting--;
      note();
    }
  };
  const all: Promise<unknown>[] = [];
  const inTurn = <R>(ask: () => Promise<R>): Promise<R> => {
    const answer = sentInTurn(actor, restingTurn, async () => {
      sent++;
      note();
      try {
        return await ask();
      } finally {
        sent--;
        note();
      }
    });
    all.push(answer);
    return answer;
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
        const turn = actor.place();
        await turn();
        const answer: unknown = await actor.during(() => Promise.resolve(method.apply(target, args)));
        await turn();
        return answer;
      };
    },
  });
}
