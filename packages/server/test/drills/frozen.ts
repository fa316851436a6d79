import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { runUnderLoad, type Scene, slowestAnswer } from './load.ts';

/** How long the primary stands still and then goes on. */
const still_ms = 8_000;
/** How long the tools that promote a standby need to be sure that the primary is gone. */
const detection_ms = 4_000;
/** Every request is answered within this time (H-25). */
const longestAnswer_ms = 10_000;

/**
 * The primary database stands still, as a machine whose disk or hypervisor hangs: connections stay open and are accepted,
 * and nothing is answered. First it goes on by itself; the second time the standby is promoted while it still stands.
 */
export const drill: Drill = {
  name: 'frozen',
  bars: { longest_outage_ms: 15_000 },
  async run(options) {
    const { result, history } = await runUnderLoad(options, {}, async (scene) => {
      options.log(`the primary stands still for ${still_ms} ms`);
      await standStill(scene);
      await pause(5_000);
      options.log('the primary stands still, the standby is promoted');
      await promoteBeside(scene);
    });
    const slowest_ms = slowestAnswer(history);
    if (slowest_ms <= longestAnswer_ms) return result;
    const problem = `an answer took ${Math.round(slowest_ms)} ms, more than ${longestAnswer_ms}`;
    return { ...result, problems: [...(result.problems ?? []), problem] };
  },
};

async function standStill({ desk }: Scene): Promise<void> {
  const { database } = desk;
  const node = database.primary();
  await database.signal(node, '', 'SIGSTOP');
  await pause(still_ms);
  await database.signal(node, '', 'SIGCONT');
  await desk.untilReady(desk.processes);
}

/** The frozen server is ended only when the others work on the new one, as an operator would do it late. */
async function promoteBeside({ desk }: Scene): Promise<void> {
  const { database } = desk;
  const node = database.primary();
  await database.signal(node, '', 'SIGSTOP');
  await pause(detection_ms);
  await database.promote();
  await desk.untilReady(desk.processes);
  await database.kill(node);
}
