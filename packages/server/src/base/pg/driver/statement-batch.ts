import pg from 'pg';
import type { DriverClient } from './client.ts';
import { sqlState } from './db-errors.ts';
import type { BatchStatement } from './session-limits.ts';
import { sendAll, type Wire } from './wire.ts';

/** The names of the statements that batches have prepared, by connection. */
const preparedOn = new WeakMap<DriverClient, Set<string>>();

/** The SQLSTATE of a statement that is not prepared. */
const notPrepared = '26000';

/**
 * Several statements as one message, and so as one transaction: everything up to a Sync commits or fails together,
 * without BEGIN and COMMIT, and the server answers once. Rows are not read. The driver prepares statements under its own
 * names, so batches use different ones.
 */
class StatementBatch extends pg.Query {
  readonly #statements: readonly BatchStatement[];
  readonly #prepared: ReadonlySet<string>;

  constructor(
    statements: readonly BatchStatement[],
    prepared: ReadonlySet<string>,
    ended: (error: Error | null | undefined) => void,
  ) {
    super({ text: '' }, ended);
    this.#statements = statements;
    this.#prepared = prepared;
  }

  override submit = (connection: pg.Connection): void => {
    sendAll(connection as unknown as Wire, this.#statements, this.#prepared);
  };

  /** The driver calls this for each row. */
  handleDataRow(): void {
    // Ignored: the statement itself has checked the numbers of rows.
  }

  handleCommandComplete(): void {
    // Ignored: only the end of all of them counts.
  }
}

/**
 * Runs statements as one transaction in one round trip. No other batch may be under way on the connection.
 *
 * @throws the error of the database: nothing has happened; or the error of the connection: the outcome is unknown
 */
export async function runBatch(client: DriverClient, statements: readonly BatchStatement[]): Promise<void> {
  const prepared = preparedOn.get(client) ?? new Set<string>();
  preparedOn.set(client, prepared);
  const { limitStatement } = client;
  const all = limitStatement === null ? statements : [limitStatement, ...statements];
  const named = all.map((statement) => ({ ...statement, name: `batch_${statement.name}` }));
  await new Promise<void>((resolve, reject) => {
    const batch = new StatementBatch(named, prepared, (error) => {
      if (error) {
        // It is unknown which of its statements were prepared; the next message closes each name before it prepares it.
        if (sqlState(error) === notPrepared) prepared.clear();
        reject(error);
      } else {
        for (const { name } of named) prepared.add(name);
        resolve();
      }
    });
    client.query(batch);
  });
}
