import pg from 'pg';

/** What of the driver's connection a batch writes to; its own queries use the same. */
export interface Wire {
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  parse(query: { name: string; text: string }): void;
  bind(config: { statement: string; values: unknown[] }): void;
  execute(config: object): void;
  sync(): void;
}

/** A statement with the name it is prepared under, and its values as the driver sends them. */
export interface NamedStatement {
  name: string;
  values: unknown[];
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** A value as it is sent. Instants go as UTC, which both ends are quicker with than with local time and its offset. */
function sent(value: unknown): unknown {
  const year = value instanceof Date ? value.getUTCFullYear() : 0;
  return year >= 1 && year <= 9_999 ? (value as Date).toISOString() : prepareValue(value);
}

/** The statement as it is sent; throws where a value cannot be, before anything of a batch is. */
export const readyToSend = ({ name, values }: NamedStatement): NamedStatement => ({
  name,
  values: values.map(sent),
});

/**
 * Sends statements with one Sync behind them: one message, one transaction, one answer.
 *
 * @param prepare called before each, to send what prepares it where it is not prepared yet
 */
export function sendAll<S extends NamedStatement>(
  wire: Wire,
  statements: readonly S[],
  prepare: (statement: S) => void = () => undefined,
): void {
  wire.stream.cork();
  for (const statement of statements) {
    prepare(statement);
    wire.bind({ statement: statement.name, values: statement.values });
    wire.execute({});
  }
  wire.sync();
  wire.stream.uncork();
}
