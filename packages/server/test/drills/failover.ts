import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { hasFailed, runUnderLoad } from './load.ts';

/** How long the tools that promote a standby need to be sure that the primary is gone. */
const detection_ms = 2_000;

/**
 * The primary database is killed under load and the synchronous standby is promoted. Answers may be 503 for ten seconds;
 * nothing else may fail (H-25).
 */
export const drill: Drill = {
  name: 'failover',
  bars: { longest_outage_ms: 10_000 },
  async run(options) {
    const { result, history } = await runUnderLoad(options, {}, async ({ desk }) => {
      options.log('the primary is killed, the standby is promoted');
      await desk.database.kill(desk.database.primary());
      await pause(detection_ms);
      await desk.database.promote();
    });
    const others = history.calls.filter((call) => hasFailed(call) && call.status !== 503);
    const problems = others.map(
      ({ kind, status, error }) =>
        `${kind} was answered with ${status === 0 ? 'nothing' : `${status} ${error}`}`,
    );
    return { ...result, problems: [...(result.problems ?? []), ...problems.slice(0, 20)] };
  },
};
