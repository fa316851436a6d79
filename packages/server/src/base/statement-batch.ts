import pg from 'pg';
import { type NamedStatement, readyToSend, sendAll, type Wire } from './wire.ts';

/**
 * Several prepared statements as one message, and so as one transaction: what is executed up to a Sync commits or
 * fails together, without BEGIN and COMMIT, and the server answers once. Rows are not read.
 */
class StatementBatch extends pg.Query {
  readonly #statements: readonly NamedStatement[];

  constructor(statements: readonly NamedStatement[], ended: (error: Error | null | undefined) => void) {
    super({ text: '' }, ended);
    this.#statements = statements.map(readyToSend);
  }

  override submit = (connection: pg.Connection): void => {
    sendAll(connection as unknown as Wire, this.#statements);
  };

  /** The driver hands over each row; nothing has described them. */
  handleDataRow(): void {
    // What the writes have touched was checked where it was counted.
  }
}

/**
 * Runs prepared statements as one transaction in one round trip; nothing of it has happened where it rejects with an
 * error of the database.
 *
 * @param statements all prepared on this connection
 */
export function runBatch(client: pg.PoolClient, statements: readonly NamedStatement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new StatementBatch(statements, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });
}
