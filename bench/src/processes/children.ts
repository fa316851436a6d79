/** Starts server processes, and reads their memory and CPU time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { BenchError } from '../bench-error.ts';

/** A server process of the benchmark. Its output goes to a file. */
export interface Server {
  url: string;
  pid: number;
  /** Peak memory so far, in bytes; null if the system does not provide it. */
  peakMemory: () => Promise<number | null>;
  /** Current memory in bytes; null if the system does not provide it. */
  memory: () => Promise<number | null>;
  /** CPU time so far, in milliseconds; null if the system does not provide it. */
  cpuTime: () => Promise<number | null>;
  /** The end of its output. */
  lastOutput: () => Promise<string>;
  /** Asks the process to stop, waits, and kills it after 15 seconds. */
  stop: () => Promise<void>;
}

export interface ServerOptions {
  /** The name in messages. */
  name: string;
  /** The program for Node.js, with its arguments. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The file for its output. */
  log_file: string;
  /** The address that it serves. */
  url: string;
  /** A path that answers 200 when the server is ready. */
  ready_path: string;
  signal: AbortSignal;
}

const start_ms = 60_000;
const stop_ms = 15_000;

/**
 * Starts a Node.js program as a process and waits until it is ready.
 *
 * @throws BenchError with the end of its output if it does not become ready
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const output = openSync(options.log_file, 'w');
  const child = spawn(process.execPath, options.args, {
    env: options.env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new BenchError(`${options.name} cannot be started.`);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  try {
    await waitUntilReady(child, options);
  } catch (error) {
    await stopChild(child, exited);
    throw error;
  }
  return {
    url: options.url,
    pid,
    peakMemory: () => memoryOf(pid, 'VmHWM'),
    memory: () => memoryOf(pid, 'VmRSS'),
    cpuTime: () => cpuTime(pid),
    lastOutput: () => lastOutput(options),
    stop: () => stopChild(child, exited),
  };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function waitUntilReady(child: ChildProcess, options: ServerOptions): Promise<void> {
  const giveUpAt = performance.now() + start_ms;
  while (!(await answersOk(options.url + options.ready_path))) {
    options.signal.throwIfAborted();
    if (hasEnded(child) || performance.now() > giveUpAt) {
      const output = await lastOutput(options);
      const how = hasEnded(child)
        ? 'ended while starting'
        : `was not ready within ${start_ms / 1_000} seconds`;
      throw new BenchError(`${options.name} ${how}:\n${output}`);
    }
    await pause(10);
  }
}

const lastOutput = async ({ log_file }: Pick<ServerOptions, 'log_file'>): Promise<string> =>
  (await readFile(log_file, 'utf8')).trim().slice(-2_000);

async function answersOk(url: string): Promise<boolean> {
  try {
    const { status, body } = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await body?.cancel();
    return status === 200;
  } catch {
    return false;
  }
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), stop_ms);
  await exited;
  clearTimeout(insist);
}

/** Returns a free port of the loopback address. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening, failed) => {
    probe.once('error', failed).listen(0, '127.0.0.1', listening);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/**
 * The peak (VmHWM) or current (VmRSS) memory of a process, in bytes; null if the process has ended or the
 * system does not provide it.
 */
export async function memoryOf(pid: number, figure: 'VmHWM' | 'VmRSS'): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1_024;
}

/** Linux counts CPU time in hundredths of a second. */
const tick_ms = 10;

async function cpuTime(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program’s name is in parentheses and can contain anything. User and system time are fields 12 and 13
  // after it.
  const [, fields = ''] = /^.*\) (.*)$/s.exec(stat) ?? [];
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return user === undefined || system === undefined ? null : (user + system) * tick_ms;
}
