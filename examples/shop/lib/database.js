/** The shop's own database: PostgreSQL, with whole transactions. */
import { readFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * @typedef {Pick<pg.PoolClient, 'query'>} Tx
 * @typedef {Awaited<ReturnType<typeof openDatabase>>} Database
 */

/** Connects, and makes the tables that are missing. @param {string} url */
export async function openDatabase(url) {
  const pool = new pg.Pool({ connectionString: url, max: 5, application_name: 'demo shop' });
  // If an idle connection breaks, the next query replaces it.
  pool.on('error', (error) => console.error(`database: ${error.message}`));
  await pool.query(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));

  return {
    /** @param {string} text @param {unknown[]} [values] @returns {Promise<Record<string, unknown>[]>} */
    async rows(text, values) {
      return (await pool.query(text, values)).rows;
    },

    /**
     * Runs `work` in one transaction: all of it happens, or nothing.
     *
     * @template T
     * @param {(tx: Tx) => Promise<T>} work
     * @returns {Promise<T>}
     */
    async transaction(work) {
      const client = await pool.connect();
      let broken;
      try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure) => (broken = failure));
        throw error;
      } finally {
        client.release(broken);
      }
    },

    close: () => pool.end(),
  };
}
