/** Runs the tools of the container test and keeps what they print. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ran {
  code: number | null;
  /** Standard output and standard error, as they came. */
  output: string;
}

export interface Running {
  child: ChildProcess;
  output: () => string;
  ended: Promise<Ran>;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts a program whose output is kept. */
export function start(command: readonly string[], { cwd, env = process.env }: RunOptions = {}): Running {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  ended.catch(() => undefined);
  return { child, output: () => output, ended };
}

export async function run(command: readonly string[], options?: RunOptions): Promise<Ran> {
  return start(command, options).ended.catch((error: unknown) => ({ code: 127, output: String(error) }));
}

/**
 * Runs a program that must succeed.
 *
 * @throws Error with the end of its output
 */
export async function must(command: readonly string[], options?: RunOptions): Promise<string> {
  const { code, output } = await run(command, options);
  if (code === 0) return output;
  throw new Error(`"${command.join(' ')}" ended with ${String(code)}:\n${output.slice(-3_000)}`);
}
