import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createWriteStream, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isReadyNow } from './balancer.ts';

export const program = fileURLToPath(new URL('../../bin/paydesk.js', import.meta.url));
const shiftClock = new URL('./shift-clock.js', import.meta.url).href;

/**
 * One process of the built service, which may be killed, stopped, and started again. If it ends by itself, it is started
 * again after two seconds, as by the units of systemd: a process that finds no database at its start ends.
 */
export interface PaydeskProcess {
  name: string;
  role: 'web' | 'worker';
  port: number;
  /** @param clock_off_ms how far its clock is off from the start on; default: it is right */
  start(clock_off_ms?: number): Promise<void>;
  /** As `kill` does; waits for the end of the process only where the signal ends it. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Ends it in good order; gives the milliseconds that took, and whether it ended by itself. */
  stop(): Promise<{ took_ms: number; code: number | null }>;
  shiftClock(ms: number): Promise<void>;
  isReady(): Promise<boolean>;
}

export interface ProcessOptions {
  name: string;
  role: 'web' | 'worker';
  port: number;
  env: Record<string, string>;
  /** The built program, asked for at each start. */
  program: () => string;
  /** A file for this process, which says how far its clock is off. */
  clock_file: string;
  /** The file that takes its log; null: the lines are only looked at. */
  log_file: string | null;
  /** The file that also gets what it writes and is not in `log_file`; null: none. */
  kept_log: string | null;
  /** Told each line that it logs as an error, and how it ended by itself. */
  complain: (line: string) => void;
}

/** Longer than the ten seconds in which a process has to stop. */
const stopPatience_ms = 20_000;
const restart_ms = 2_000;

/** The words for a process that ended without being stopped: while it served, and before. */
export const endings = { serving: 'ended by itself', starting: 'ended as it started' } as const;

export function paydeskProcess(options: ProcessOptions): PaydeskProcess {
  const { name, role, port, clock_file, complain } = options;
  let child: ChildProcess | null = null;
  let restarting: NodeJS.Timeout | undefined;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child;
    child = null;
    clearTimeout(restarting);
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return null;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    const patience = setTimeout(() => ending.kill('SIGKILL'), stopPatience_ms);
    await exited;
    clearTimeout(patience);
    return ending.exitCode;
  };
  const begin = (): void => {
    clearTimeout(restarting);
    let serves = false;
    const started = launch(options, () => (serves = true));
    child = started;
    started.once('exit', (code, signal) => {
      if (child !== started) return;
      // The run did not stop it.
      child = null;
      complain(`${name} ${endings[serves ? 'serving' : 'starting']}: ${String(code ?? signal)}`);
      restarting = setTimeout(begin, restart_ms);
    });
  };
  return {
    name,
    role,
    port,
    async start(clock_off_ms = 0) {
      await writeFile(clock_file, String(clock_off_ms));
      begin();
    },
    async signal(signal) {
      if (signal === 'SIGKILL') await end(signal);
      else child?.kill(signal);
    },
    async stop() {
      const began = performance.now();
      const code = await end('SIGTERM');
      return { took_ms: performance.now() - began, code };
    },
    shiftClock: (ms) => writeFile(clock_file, String(ms)),
    isReady: () => isReadyNow(port),
  };
}

/** @param serves told when the process logs that it serves, unless its log goes to a file */
function launch(options: ProcessOptions, serves: () => void): ChildProcess {
  const { name, role, port, env, clock_file, log_file, kept_log, complain, ...built } = options;
  const log = log_file === null ? 'pipe' : openSync(log_file, 'a');
  const child = spawn(process.execPath, ['--import', shiftClock, built.program(), 'serve', '--role', role], {
    env: { PATH: process.env.PATH ?? '', ...env, PORT: String(port), CHAOS_CLOCK_FILE: clock_file },
    stdio: ['ignore', log, 'pipe'],
  });
  if (typeof log === 'number') closeSync(log);
  const hear = (line: string): void => {
    if (line.includes('"msg":"paydesk is serving"')) serves();
    if (/^\{"level":"(error|fatal)"/.test(line) || !line.startsWith('{')) complain(`${name}: ${line}`);
  };
  const kept = kept_log === null ? null : createWriteStream(kept_log, { flags: 'a' });
  for (const output of [child.stdout, child.stderr]) {
    if (output === null) continue;
    createInterface({ input: output }).on('line', hear);
    if (kept !== null) output.pipe(kept, { end: false });
  }
  child.once('close', () => kept?.end());
  return child;
}
