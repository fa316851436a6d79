import pg from 'pg';

/** The part of the driver's connection that batches use; the driver's own queries use it too. */
export interface Wire {
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  parse(query: { name: string; text: string }): void;
  bind(config: { statement: string; values: unknown[] }): void;
  execute(config: object): void;
  sync(): void;
}

/** The name of a prepared statement, and its values as the driver sends them. */
export interface NamedStatement {
  name: string;
  values: unknown[];
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** A value as it is sent. Instants are sent in UTC, which is faster at both ends than local time with an offset. */
function toText(value: unknown): unknown {
  const year = value instanceof Date ? value.getUTCFullYear() : 0;
  return year >= 1 && year <= 9_999 ? (value as Date).toISOString() : prepareValue(value);
}

/** The statement as it is sent. Throws if a value cannot be sent, before any part of a batch is. */
export const readyToSend = ({ name, values }: NamedStatement): NamedStatement => ({
  name,
  values: values.map(toText),
});

/**
 * Sends statements with one Sync after them: one message, one answer.
 *
 * @param prepared the names that are prepared; without it, all are
 */
export function sendAll(
  wire: Wire,
  statements: readonly (NamedStatement & { text?: string })[],
  prepared?: Pick<ReadonlySet<string>, 'has'>,
): void {
  wire.stream.cork();
  for (const { name, text, values } of statements) {
    if (prepared?.has(name) === false) {
      wire.close({ type: 'S', name });
      wire.parse({ name, text: text ?? '' });
    }
    wire.bind({ statement: name, values });
    wire.execute({});
  }
  wire.sync();
  wire.stream.uncork();
}
