/** Finds a pooler between this process and the server that loses the statements that connections prepare (D-682). */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { showsLossyPooler } from './lossy-pooler-words.ts';
import { withConnection } from './driver/open-driver.ts';

/** A pooler that is full lets a statement wait, for minutes if it is set so: then nothing is known. */
const answer_ms = 3_000;

/** Other clients of the pooler may take the sessions that would show it. */
const tries = 3;

const session = 'SELECT pg_backend_pid() AS pid';

/** What the probe needs of a connection. */
export type Probed = Pick<pg.Client, 'query'>;

/**
 * Shows a pooler that gives transactions any session and forgets what was prepared there. Without this a process that
 * starts while the pooler is idle works in one session by chance, and fails under load.
 *
 * @throws the database's error, see `showsLossyPooler`
 */
export async function probePooler(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const { processID } = client as unknown as { processID: number | null };
    if ((await sessionOf(client)) === processID) return;
    await withConnection(url, (other) => probe(client, other));
  });
}

/** The first connection prepares a statement; the other one takes its session; the first one uses the statement again. */
export async function probe(client: Probed, other: Probed): Promise<void> {
  const prepared: pg.QueryConfig & { query_timeout: number } = {
    // A name of its own: what an earlier probe has left in other sessions would answer.
    name: `probe_${randomUUID()}`,
    text: session,
    query_timeout: answer_ms,
  };
  const pidOf = async (): Promise<number | undefined> =>
    (await client.query<{ pid: number }>(prepared)).rows[0]?.pid;
  for (let i = 0; i < tries; i++) {
    const before = await pidOf();
    await other.query('BEGIN');
    try {
      await sessionOf(other);
      const after = await pidOf().catch((error: unknown) => {
        if (showsLossyPooler((error as { code?: string }).code)) throw error;
        return null;
      });
      if (after === null || after !== before) return;
    } finally {
      await other.query('ROLLBACK');
    }
  }
}

async function sessionOf(client: Probed): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(session)).rows[0]?.pid;
}
