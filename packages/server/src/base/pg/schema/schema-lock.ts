/**
 * The lock of everything that changes the schema. It belongs to an open transaction and not to a session, so that it
 * also holds behind PgBouncer in transaction mode.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { SchemaError } from './schema-error.ts';

/** The key of the advisory lock. Any fixed number; builds before 0.2.0 use the same one. */
export const schemaLock = 7220260101;

/** Between two tries to get the lock, and between two signs of life to proxies that cut silent connections. */
const retry_ms = 500;
const keepAlive_ms = 10_000;

/** Checks that the lock is still held. */
export type IsHeld = () => Promise<void>;

/**
 * Runs `work` while no other process changes the schema. A separate connection holds the lock in a transaction that
 * sees no rows, so it delays neither VACUUM nor CREATE INDEX CONCURRENTLY.
 *
 * @param say gets one line if another process has the lock
 */
export const withSchemaLock = <T>(
  url: string,
  say: (line: string) => void,
  work: (isHeld: IsHeld) => Promise<T>,
): Promise<T> =>
  withConnection(url, async (guard) => {
    for (let tries = 1; !(await takeLock(guard)); tries++) {
      if (tries === 1) say('another process changes the database schema: waiting until it has ended');
      await pause(retry_ms);
    }
    const isHeld = async (): Promise<void> => {
      try {
        await guard.query('SELECT 1');
      } catch (cause) {
        throw new SchemaError(
          'The connection that holds the lock of the schema was lost: run "npx paydesk migrate" again.',
          { cause },
        );
      }
    };
    const alive = setInterval(() => {
      // A lost connection is noticed before the next step.
      guard.query('SELECT 1').catch(() => undefined);
    }, keepAlive_ms);
    try {
      return await work(isHeld);
    } finally {
      clearInterval(alive);
      await guard.query('ROLLBACK').catch(() => undefined);
    }
  });

async function takeLock(guard: pg.Client): Promise<boolean> {
  await guard.query('BEGIN');
  await nameAndLiftLimits(guard);
  const { rows } = await guard.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [
    schemaLock,
  ]);
  if (rows[0]?.got === true) return true;
  await guard.query('ROLLBACK');
  return false;
}

/**
 * Names this transaction for operators (pg_stat_activity), reads backslashes as they are written, and lifts limits of
 * the role or the database for it. Which of them exist depends on PostgreSQL's version. An engine that distributes
 * tables changes one shard after the other, takes the triggers of tables to their shards (there each looks only at its
 * row, or rests), and passes limits of the transaction on.
 */
export const nameAndLiftLimits = (client: pg.Client): Promise<unknown> =>
  client.query(`SELECT set_config('application_name', 'paydesk migrate', true) UNION ALL
    SELECT set_config('standard_conforming_strings', 'on', true) UNION ALL
    SELECT set_config(name, '0', true) FROM pg_settings
    WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout') UNION ALL
    SELECT set_config(name, value, true) FROM (VALUES
      ('citus.multi_shard_modify_mode', 'sequential'), ('citus.enable_unsafe_triggers', 'on'),
      ('citus.propagate_set_commands', 'local')) AS engine (name, value)
    WHERE current_setting(name, true) IS NOT NULL`);
