import { setTimeout as pause } from 'node:timers/promises';
import { program } from '../chaos/paydesk-process.ts';
import { previousRelease } from '../support/run/previous-release.ts';
import { release } from '../../src/base/release.ts';
import type { Drill } from './drill.ts';
import { runUnderLoad, type Scene } from './load.ts';

/** From the end of new requests to the signal: those that run end meanwhile. */
const drain_ms = 2_000;

/**
 * A rolling upgrade under load, as docs/operating/upgrades.md describes it: the schema first, then one process after the
 * other. Every process begins as one of the previous release, and no request may fail (H-24).
 */
export const drill: Drill = {
  name: 'upgrade',
  bars: { failed: 0 },
  async run(options) {
    const previous = await previousRelease();
    const upgraded = new Set<string>();
    const programOf = (name: string): string => (upgraded.has(name) ? program : previous.program);
    options.log(`from ${previous.version} to ${release}`);
    const desk = { webs: 2, workers: 1, programOf };
    const { result, injected } = await runUnderLoad(options, { desk }, (scene) =>
      upgrade(scene, upgraded, options.log),
    );
    return { ...result, told: [...injected, ...result.told] };
  },
};

/** Migrates the database and replaces each process. */
async function upgrade(
  { desk }: Scene,
  upgraded: Set<string>,
  log: (line: string) => void,
): Promise<string[]> {
  const began = performance.now();
  const { code, output } = await desk.run('migrate');
  const migrated = output.trim().split('\n');
  if (code !== 0) throw new Error(`paydesk migrate ended with ${String(code)}: ${output}`);
  const told = [...migrated, `migrate took ${secondsSince(began)}`];
  // Processes of both releases work on the new schema.
  await pause(drain_ms);
  for (const one of desk.processes) {
    const started = performance.now();
    desk.balancer.drain(one.port, true);
    await pause(drain_ms);
    upgraded.add(one.name);
    await desk.restart(one);
    await desk.untilReady([one]);
    desk.balancer.drain(one.port, false);
    told.push(`${one.name} was replaced in ${secondsSince(started)}`);
    log(told.at(-1) ?? '');
  }
  return told;
}

const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
