import { seconds } from '../base/time/clock.ts';
import { createOpeningNotes } from '../collection/openings/index.ts';
import { createLoop } from '../jobs/loop.ts';
import type { Shared } from './shared.ts';

/** Notes which checkouts were opened at this process, and writes the notes once a second. */
export function createOpenings({ db, clock, log }: Shared) {
  const openings = createOpeningNotes({ db, clock });
  const loop = createLoop({
    name: 'opening-notes',
    every_ms: seconds(1),
    // Always reports no remaining work, or a busy process would write without rest.
    pass: async () => {
      await openings.flush();
      return 0;
    },
    clock,
    log,
  });
  return {
    note: openings.note,
    start: () => {
      loop.start();
    },
    stuck: () => loop.stuck(),
    async stop(): Promise<void> {
      await loop.stop();
      await openings.flush().catch((err: unknown) => {
        log.warn({ err }, 'the last openings of checkouts could not be noted');
      });
    },
  };
}
