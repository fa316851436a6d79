import pg from 'pg';

/** What of the driver's connection a batch writes to; its own queries use the same. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Readonly<Record<string, string | undefined>>;
  bind(config: { statement: string; values: unknown[] }): void;
  execute(config: object): void;
  sync(): void;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** A statement with the name it is prepared under. */
export interface NamedStatement {
  name: string;
  values: unknown[];
}

/**
 * Several prepared statements as one message, and so as one transaction: what is executed up to a Sync commits or
 * fails together, without BEGIN and COMMIT, and the server answers once. Rows are not read.
 */
class StatementBatch extends pg.Query {
  readonly #statements: readonly NamedStatement[];

  constructor(statements: readonly NamedStatement[], ended: (error: Error | null | undefined) => void) {
    super({ text: '' }, ended);
    // Here, where a value that cannot be sent keeps everything from being sent.
    this.#statements = statements.map(({ name, values }) => ({ name, values: values.map(prepareValue) }));
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const { name, values } of this.#statements) {
      wire.bind({ statement: name, values });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  };

  /** The driver hands over each row; nothing has described them. */
  handleDataRow(): void {
    // What the writes have touched was checked where it was counted.
  }
}

/** Whether a connection knows all of these statements: then they can be sent as a batch. */
export function arePrepared(client: pg.PoolClient, statements: readonly NamedStatement[]): boolean {
  const { parsedStatements } = (client as unknown as { connection: Wire }).connection;
  return statements.every(({ name }) => parsedStatements[name] !== undefined);
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
