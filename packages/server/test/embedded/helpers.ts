import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import type { EmbeddedOptions } from '../../src/embedded/open-embedded.ts';
import { isAlive } from '../../src/embedded/processes.ts';
import { startSource, type SourceProcess } from '../support/run/source-process.ts';
import { memoryDirectory, temporaryDirectory } from '../support/run/temporary.ts';

export const isRoot = process.getuid?.() === 0;

/** A data directory that does not exist yet, removed when the test ends; it is in memory if a test does not say where. */
export async function dataDir(parent?: string): Promise<string> {
  const home = await temporaryDirectory('embedded', parent ?? (await memoryDirectory()));
  onTestFinished(() => home.remove());
  return join(home.path, 'data');
}

export interface Holding {
  process: SourceProcess;
  url: string;
  joined: boolean;
  runs_as: string | null;
  /** Lets it stop by itself. */
  end(): Promise<number | null>;
}

const program = fileURLToPath(new URL('./holder.ts', import.meta.url));

/** Starts a process that opens or joins; `file` is another copy of the program. */
export function startHolder(mode: 'open' | 'join', options: EmbeddedOptions, file = program): SourceProcess {
  const started = startSource(file, [mode, JSON.stringify({ durable: false, ...options })]);
  onTestFinished(() => {
    started.child.kill('SIGKILL');
  });
  return started;
}

export async function hold(mode: 'open' | 'join', options: EmbeddedOptions, file?: string): Promise<Holding> {
  const started = startHolder(mode, options, file);
  const said = JSON.parse(await started.line()) as Pick<Holding, 'url' | 'joined' | 'runs_as'>;
  return {
    ...said,
    process: started,
    end() {
      started.child.stdin?.end();
      return started.exited;
    },
  };
}

/** The process id of the server on this data directory. */
export async function serverPid(data_dir: string): Promise<number> {
  return Number.parseInt(await readFile(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Waits for a process to end, by looking. */
export async function untilGone(pid: number): Promise<void> {
  await vi.waitUntil(() => !isAlive(pid), { timeout: 60_000, interval: 20 });
}
