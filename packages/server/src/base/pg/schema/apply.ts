/**
 * Applies one migration, in the way that its header names. It can be ended at any time: the next run does the rest.
 */
import pg from 'pg';
import { beginCommitted } from '../driver/session-limits.ts';
import type { LockPatience } from './lock-patience.ts';
import { retryForLock } from './lock-patience.ts';
import type { Migration } from './migration-files.ts';
import { nameAndLiftLimits } from './schema-lock.ts';

/**
 * Applies one migration. The caller holds the lock of the schema.
 *
 * @throws SchemaError if it does not get a lock of a table
 */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  patience: LockPatience,
): Promise<void> {
  const run = { transaction: applyWhole, statements: applyStatements, batches: applyBatches }[migration.mode];
  await run(client, migration, patience);
}

/** One transaction; nothing of it is kept if a statement fails. */
const applyWhole = (client: pg.Client, migration: Migration, patience: LockPatience): Promise<void> =>
  inPatientTransaction(client, `Migration ${migration.name}`, patience, async () => {
    // One after the other: an engine that distributes tables refuses several statements in one query.
    for (const statement of statementsOf(migration.text)) await client.query(statement);
    await record(client, migration);
  });

/** Each statement by itself. All of them can be repeated, as those before a failure are. */
async function applyStatements(
  client: pg.Client,
  migration: Migration,
  patience: LockPatience,
): Promise<void> {
  const what = `Migration ${migration.name}`;
  for (const statement of statementsOf(migration.text)) {
    if (/^\w+(?: UNIQUE)? INDEX CONCURRENTLY\b/i.test(statement)) {
      await retryForLock(what, patience, () => changeIndex(client, statement, patience));
    } else {
      await inPatientTransaction(client, what, patience, () => client.query(statement));
    }
  }
  await inPatientTransaction(client, what, patience, () => record(client, migration));
}

/** A statement up to its semicolon: comments, texts and the bodies of functions may contain semicolons too. */
const upToSemicolon = /(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$|[^;])+/g;

/** The statements of a file, each without the comments before it. */
export const statementsOf = (text: string): string[] =>
  [...text.matchAll(upToSemicolon)]
    .map(([one]) => one.replace(/^(?:\s|--[^\n]*(?:\n|$))+/, '').trim())
    .filter((one) => one !== '');

/**
 * Creates or drops an index beside the traffic. The statement has no time limit for locks, because behind a pooler a
 * setting of the session may belong to another session; so its lock is tried in a transaction before. Once it has the
 * lock, it waits for older transactions only, and no transaction waits for it.
 */
async function changeIndex(
  client: pg.Client,
  statement: string,
  { lock_ms, say }: LockPatience,
): Promise<void> {
  const [, name = ''] = /\bCONCURRENTLY (?:IF (?:NOT )?EXISTS )?(\w+)/i.exec(statement) ?? [];
  const [, table] = /\bON (?:ONLY )?(\w+)/i.exec(statement) ?? [];
  if (table !== undefined) {
    // An interrupted run may still build it: then this waits, and does not take half of its index away.
    await inTransaction(client, lock_ms, () =>
      client.query(`LOCK TABLE ${pg.escapeIdentifier(table)} IN SHARE UPDATE EXCLUSIVE MODE`),
    );
    await dropInvalid(client, name, say);
    const { rowCount } = await client.query('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
    if (rowCount !== 0) return;
  }
  try {
    await client.query(statement);
  } catch (error) {
    // Half an index costs every write and helps no read. If this fails too, the next run drops it.
    await dropInvalid(client, name, say).catch(() => undefined);
    throw error;
  }
}

/** Drops what an interrupted CREATE INDEX CONCURRENTLY has left: `IF NOT EXISTS` would take it for the index. */
async function dropInvalid(client: pg.Client, name: string, say: LockPatience['say']): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (rowCount === 0) return;
  say(`the index ${name} is incomplete: it is dropped and built again`);
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`);
}

/** After this many batches a line tells how far the migration is. */
const batchesPerLine = 100;

/**
 * Repeats the statement, each time in a transaction that also stores how far it came. `$1` is the key of the last row of
 * the batch before, empty at first. The statement answers the key of its own last row as `last`; null ends it. A pause
 * as long as the batch leaves the database to the traffic.
 */
async function applyBatches(client: pg.Client, migration: Migration, patience: LockPatience): Promise<void> {
  const { version, name, text } = migration;
  for (let batches = 1; ; batches++) {
    const began = performance.now();
    const last = await inPatientTransaction(client, `Migration ${name}`, patience, async () => {
      const before = await client.query<{ after_key: string }>(
        'SELECT after_key FROM schema_batches WHERE version = $1',
        [version],
      );
      const { rows } = await client.query<{ last: string | null }>(text, [before.rows[0]?.after_key ?? '']);
      const reached = rows[0]?.last ?? null;
      if (reached === null) {
        await client.query('DELETE FROM schema_batches WHERE version = $1', [version]);
        await record(client, migration);
        return null;
      }
      await client.query(
        `INSERT INTO schema_batches (version, after_key) VALUES ($1, $2)
          ON CONFLICT (version) DO UPDATE SET after_key = excluded.after_key`,
        [version, reached],
      );
      return reached;
    });
    if (last === null) return;
    if (batches % batchesPerLine === 0) patience.say(`migration ${name}: ${batches} batches, up to ${last}`);
    await patience.pause(performance.now() - began);
  }
}

const record = (
  client: pg.Client,
  { version, name, recorded_checksum, compatible_from }: Migration,
): Promise<unknown> =>
  client.query(
    `INSERT INTO schema_migrations (version, name, checksum, applied_at, compatible_from)
      VALUES ($1, $2, $3, now(), $4)`,
    [version, name, recorded_checksum, compatible_from],
  );

/** A transaction that gives up a lock after a short time and is then tried again as a whole. */
export const inPatientTransaction = <T>(
  client: pg.Client,
  what: string,
  patience: LockPatience,
  work: () => Promise<T>,
): Promise<T> => retryForLock(what, patience, () => inTransaction(client, patience.lock_ms, work));

async function inTransaction<T>(client: pg.Client, lock_ms: number, work: () => Promise<T>): Promise<T> {
  await client.query(beginCommitted);
  try {
    await nameAndLiftLimits(client);
    await client.query(`SET LOCAL lock_timeout = ${lock_ms}`);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // If the connection is lost, the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
