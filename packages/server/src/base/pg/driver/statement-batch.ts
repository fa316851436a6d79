import pg from 'pg';
import { sqlState } from './db-errors.ts';
import { type NamedStatement, sendAll, type Wire } from './wire.ts';

/** A statement that is ready to send, with its text in case it is not prepared yet. */
export type BatchStatement = NamedStatement & { text: string };

/** Why a batch was not committed. */
export interface BatchFailure {
  error: unknown;
  /** Number of statements that were executed: the next one failed, or the commit. */
  executed: number;
}

/** The names of the statements that batches have prepared, by connection. */
const prepared = new WeakMap<object, Set<string>>();

function preparedOn(connection: object): Set<string> {
  const known = prepared.get(connection) ?? new Set();
  prepared.set(connection, known);
  return known;
}

/** The driver prepares statements under its own names, so batches use different ones. */
const nameInBatch = (name: string): string => `batch_${name}`;

/**
 * Several statements as one message, and so as one transaction: everything up to a Sync commits or fails together,
 * without BEGIN and COMMIT, and the server answers once. Rows are not read.
 *
 * Messages follow one another on a connection without waiting for answers. So a message prepares each statement that no
 * answered message has prepared, and first closes that name: an earlier message that is still under way may have
 * prepared it too.
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

  /** The driver calls this for each row. */
  handleDataRow(): void {
    // Ignored: the statement itself has checked the numbers of rows.
  }

  handleCommandComplete(): void {
    this.executed += 1;
  }
}

/** The SQLSTATE of a statement that is not prepared. */
const notPrepared = '26000';

/**
 * Runs statements as one transaction in one round trip, behind the messages that are under way on the connection.
 *
 * @returns null once it is committed. After an error of the database, nothing of it has happened
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

/** Whether a batch failed only because the server has forgotten its statements: it may be sent again. */
export const wasNotPrepared = (error: unknown): boolean => sqlState(error) === notPrepared;
