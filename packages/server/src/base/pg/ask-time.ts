/** Asks the database for its time. No other statement does: times are parameters (D-024). */
import type { TimeSample } from '../time/database-time.ts';
import type { Pool } from './driver/pool.ts';
import { sql } from './sql.ts';
import { run } from './statements.ts';
import { runAlone } from './transactions.ts';

/** Asks on a connection of the pool. The wait for that connection is not part of the sample's round trip. */
export const askTime = (pool: Pool): Promise<TimeSample> =>
  runAlone(pool, {
    writes: false,
    send: async (client) => {
      const sent_ms = performance.now();
      const rows = await run<{ at: Date }>(client, sql`SELECT clock_timestamp() AS at`);
      const [{ at }] = rows as [{ at: Date }];
      return { sent_ms, received_ms: performance.now(), database: at };
    },
  });
