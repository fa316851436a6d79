import { seconds } from '../base/time/clock.ts';
import { createLoop } from '../jobs/loop.ts';
import { createRequestLog } from '../requests/index.ts';
import type { Shared } from './shared.ts';

/** Notes which requests this process answered, and writes the notes once a second. */
export function createRequestNotes({ db, clock, ids, log, findClient }: Shared) {
  const requests = createRequestLog({
    ...{ db, clock, ids },
    merchantOf: async (client_id) => (await findClient(client_id))?.merchant_id ?? null,
  });
  const loop = createLoop({
    name: 'request-notes',
    every_ms: seconds(1),
    // Always reports no remaining work, or a busy process would write without rest.
    pass: async () => {
      await requests.flush();
      return 0;
    },
    clock,
    log,
  });
  return {
    ...requests,
    start: () => {
      loop.start();
    },
    stuck: () => loop.stuck(),
    stop: () => loop.stop(),
    /** Writes what was noted last. A failure is logged: the process stops all the same. */
    async flushLast(): Promise<void> {
      await requests.flush().catch((err: unknown) => {
        log.warn({ err }, 'the last requests could not be noted');
      });
    },
  };
}
