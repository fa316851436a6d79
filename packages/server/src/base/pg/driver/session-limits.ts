import type pg from 'pg';
import type { NamedStatement } from './wire.ts';

/** A statement that is ready to send, with its text in case it is not prepared yet. */
export type BatchStatement = NamedStatement & { text: string };

/** A time limit that the server keeps; 0 is no limit. */
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

/** To be sent behind BEGIN, in the same message. */
export const localLimits = (limits: readonly SessionLimit[]): string =>
  limits.map(({ name, ms }) => `; SET LOCAL ${name} = ${ms}`).join('');

/**
 * To be sent behind BEGIN where tables are distributed: what SET LOCAL sets then holds on each server that the transaction
 * comes to, and so does the limit of waits for locks.
 */
export const workerLimits = (limits: readonly SessionLimit[]): string =>
  `; SET LOCAL citus.propagate_set_commands = 'local'${localLimits(limits.filter(({ name }) => name === 'lock_timeout'))}`;

/** To be sent before other statements without a BEGIN. SET LOCAL has no effect there. */
export const limitStatement = (limits: readonly SessionLimit[]): BatchStatement => ({
  name: ['limits', ...limits.map(({ ms }) => ms)].join('_'),
  text: `SELECT ${limits.map(({ name, ms }) => `set_config('${name}', '${ms}', true)`).join(', ')}`,
  values: [],
});
