/** How the time limits of connections and transactions reach the server. */
import type pg from 'pg';
import type { NamedStatement } from './wire.ts';

/** A statement that is ready to send, with its text in case it is not prepared yet. */
export type BatchStatement = NamedStatement & { text: string };

/** A time limit that the server keeps; 0 means no limit. */
export interface SessionLimit {
  name: 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout';
  ms: number;
}

/** Takes the limits out of the settings of a connection, which would send them at its start. */
export function limitsOf({
  statement_timeout,
  lock_timeout,
  idle_in_transaction_session_timeout,
  ...others
}: pg.ClientConfig): { limits: SessionLimit[]; others: pg.ClientConfig } {
  const given = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout };
  const limits = (Object.keys(given) as SessionLimit['name'][]).flatMap((name) => {
    const ms = given[name];
    return ms === undefined ? [] : [{ name, ms: ms === false ? 0 : ms }];
  });
  return { limits, others };
}

/** Which limits a transaction sets at its beginning. */
export interface Beginning {
  /** The limits of the connection. */
  limits: readonly SessionLimit[];
  /** Whether a pooler is between: then the session itself has no limits. */
  isPooled: boolean;
  /** Whether the tables are distributed. */
  isDistributed: boolean;
  /** The limit of waits for locks, instead of the limit of the connection. */
  lock_timeout_ms?: number | undefined;
}

/** Begins a transaction in which each statement sees what is committed before it: what is decided behind a lock needs that (D-661). */
export const beginCommitted = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * The messages that begin a transaction. Where tables are distributed, SET LOCAL holds on each server that the transaction
 * reaches. So does the limit of waits for locks, because other servers wait for locks as well. The engine passes on the
 * whole message with a SET LOCAL in it. So that limit is a separate message: no server gets a second BEGIN.
 */
export function beginMessages({ limits, isPooled, isDistributed, lock_timeout_ms }: Beginning): string[] {
  const of_lock = limits.find(({ name }) => name === 'lock_timeout')?.ms;
  const begin = `${beginCommitted}${isPooled ? localLimits(limits) : ''}`;
  const lock_ms = lock_timeout_ms ?? (isDistributed ? of_lock : undefined);
  const lock = lock_ms === undefined ? [] : [`SET LOCAL lock_timeout = ${lock_ms}`];
  if (isDistributed) return [`${begin}; SET LOCAL citus.propagate_set_commands = 'local'`, ...lock];
  return [[begin, ...lock].join('; ')];
}

const localLimits = (limits: readonly SessionLimit[]): string =>
  limits.map(({ name, ms }) => `; SET LOCAL ${name} = ${ms}`).join('');

/** To be sent before other statements without a BEGIN. SET LOCAL has no effect there. */
export const limitStatement = (limits: readonly SessionLimit[]): BatchStatement => ({
  name: ['limits', ...limits.map(({ ms }) => ms)].join('_'),
  text: `SELECT ${limits.map(({ name, ms }) => `set_config('${name}', '${ms}', true)`).join(', ')}`,
  values: [],
});
