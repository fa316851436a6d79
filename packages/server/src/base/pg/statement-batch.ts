import pg from 'pg';
import { sqlState } from './db-errors.ts';
import { type NamedStatement, sendAll, type Wire } from './wire.ts';

/** A statement that is ready to send, with its text, to be prepared where it is not yet. */
export type BatchStatement = NamedStatement & { text: string };

/** Why a batch was not committed, as far as is known. */
export interface BatchFailure {
  error: unknown;
  /** How many of its statements had been executed: the next one failed, or the commit. */
  executed: number;
}

/** By connection, the names of what batches have prepared there. */
const prepared = new WeakMap<object, Set<string>>();

function preparedOn(connection: object): Set<string> {
  const known = prepared.get(connection) ?? new Set();
  prepared.set(connection, known);
  return known;
}

/** The driver prepares statements as well, and keeps its own record of them: the names of batches are others. */
const nameInBatch = (name: string): string => `batch_${name}`;

/**
 * Several statements as one message, and so as one transaction: what is executed up to a Sync commits or fails together,
 * without BEGIN and COMMIT, and the server answers once. Rows are not read.
 *
 * Messages follow one another on a connection without waiting for answers. So a message prepares whatever no earlier one is
 * known to have prepared, in place of what one that is still under way may have: whether that came so far nobody knows yet.
 */
class StatementBatch extends pg.Query {
  readonly #statements: readonly BatchStatement[];
  executed = 0;

  constructor(statements: readonly BatchStatement[], ended: (error: Error | null | undefined) => void) {
    super({ text: '' }, ended);
    this.#statements = statements.map((statement) => ({ ...statement, name: nameInBatch(statement.name) }));
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire;
    const known = new Set(preparedOn(connection));
    sendAll(wire, this.#statements, ({ name, text }) => {
      if (known.has(name)) return;
      known.add(name);
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
    });
  };

  /** The driver hands over each row; nothing has described them. */
  handleDataRow(): void {
    // What the writes have touched was checked where it was counted.
  }

  handleCommandComplete(): void {
    this.executed += 1;
  }
}

/** The SQLSTATE of a statement that is not prepared. */
const notPrepared = '26000';

/**
 * Runs statements as one transaction in one round trip, behind what is under way on the connection.
 *
 * @returns null once it is committed; nothing of it has happened where it failed with an error of the database
 */
export function runBatch(
  client: pg.PoolClient,
  statements: readonly BatchStatement[],
): Promise<BatchFailure | null> {
  const { connection } = client as unknown as { connection: object };
  return new Promise((resolve) => {
    const batch = new StatementBatch(statements, (error) => {
      const known = preparedOn(connection);
      if (error) {
        if (wasNotPrepared(error)) known.clear();
        resolve({ error, executed: batch.executed });
      } else {
        for (const { name } of statements) known.add(nameInBatch(name));
        resolve(null);
      }
    });
    client.query(batch);
  });
}

/** Whether a batch failed because the server did not know its statements: nothing is wrong with what it was to do. */
export const wasNotPrepared = (error: unknown): boolean => sqlState(error) === notPrepared;
