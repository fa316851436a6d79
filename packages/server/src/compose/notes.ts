/** Notes that a process collects in memory and writes once a second: recent API requests, and opened checkouts. */
import { seconds } from '../base/time/clock.ts';
import { createOpeningNotes } from '../collection/openings/index.ts';
import { createLoop } from '../jobs/loop.ts';
import { createRequestLog } from '../requests/index.ts';
import type { Shared } from './shared.ts';

/** Notes which requests this process answered. */
export function createRequestNotes(shared: Shared) {
  const { db, clock, ids, findClient } = shared;
  const requests = createRequestLog({
    ...{ db, clock, ids },
    merchantOf: async (client_id) => (await findClient(client_id))?.merchant_id ?? null,
  });
  return { ...requests, ...writer(shared, 'request-notes', requests) };
}

/** Notes which checkouts were opened at this process. */
export function createOpenings(shared: Shared) {
  const openings = createOpeningNotes(shared);
  return { ...openings, ...writer(shared, 'opening-notes', openings) };
}

/** The loop that writes notes. */
function writer({ clock, log }: Shared, name: string, notes: { flush(): Promise<number> }) {
  const loop = createLoop({
    name,
    every_ms: seconds(1),
    // Always reports no remaining work, or a busy process would write without a pause.
    pass: async () => {
      await notes.flush();
      return 0;
    },
    clock,
    log,
  });
  return {
    start: () => {
      loop.start();
    },
    stuck: () => loop.stuck(),
    stop: () => loop.stop(),
    /** Writes what was noted last. If that fails, it is logged, and the process stops nevertheless. */
    async flushLast(): Promise<void> {
      await notes.flush().catch((err: unknown) => {
        log.warn({ err, job: name }, 'the last notes could not be written');
      });
    },
  };
}
