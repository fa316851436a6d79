import { withConnection } from './driver/open-driver.ts';

/**
 * Whether the system sorts texts otherwise than when the indexes were made: after an upgrade of the system under the
 * data, or a move to another one. An index can then miss rows that exist, also those of an idempotency key (D-1302).
 *
 * @returns what an operator has to know and do; null if nothing has changed
 */
export const changedCollation = (url: string): Promise<string | null> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<{ name: string; made: string; now: string | null }>(
      `SELECT format('%I', datname) AS name, datcollversion AS made, pg_database_collation_actual_version(oid) AS now
        FROM pg_database WHERE datname = current_database()
          AND datcollversion IS DISTINCT FROM pg_database_collation_actual_version(oid) AND datcollversion IS NOT NULL`,
    );
    const [changed] = rows;
    if (changed === undefined) return null;
    const { name, made, now } = changed;
    return (
      `the indexes of texts were made with version ${made} of the collation, and the system of the database has ` +
      `${now === null ? 'none' : `version ${now}`} now, so they may miss rows: run REINDEX DATABASE ${name}, ` +
      `then ALTER DATABASE ${name} REFRESH COLLATION VERSION`
    );
  });
