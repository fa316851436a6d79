/** Runs the shell blocks of the guide with a real bash, in which `paydesk` and `npx paydesk` run ours. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import type { Environment } from '../../../src/environment.ts';

export interface Ended {
  code: number | null;
  output: string;
}

export interface GuideShell {
  /** Runs a text to its end. */
  run(text: string, env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs a text whose last command goes on, until its output has these words; ends it by SIGTERM. */
  start(text: string, words: string, env?: NodeJS.ProcessEnv): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Commands that end run within this process, which costs a tenth of a process of their own: the shell sends their
 * arguments and its environment through a door. Others, with signals or standard input of their own, are built before.
 */
const functions = `
set -euo pipefail
paydesk() {
  case "$1" in serve | listen | create-admin) node "$PROGRAM" "$@"; return ;; esac
  exec 9<>"/dev/tcp/127.0.0.1/$DOOR"
  echo "$(printf '%s\\0' "$@" | base64 | tr -d '\\n') $(env -0 | base64 | tr -d '\\n')" >&9
  local code
  read -r code <&9
  cat <&9
  exec 9>&-
  return "$code"
}
npx() { shift; paydesk "$@"; }
`;

const program = fileURLToPath(new URL('../../../bin/paydesk.js', import.meta.url));

/** @param cwd where the texts run */
export async function openGuideShell(cwd: string, env: NodeJS.ProcessEnv): Promise<GuideShell> {
  const door = createServer((socket) => void answer(socket));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const own = { DOOR: String((door.address() as AddressInfo).port), PROGRAM: program };

  const running = new Set<ChildProcess>();
  const bash = (
    text: string,
    more: NodeJS.ProcessEnv = {},
  ): { child: ChildProcess; ended: Promise<Ended> } => {
    const child = spawn('bash', ['-c', functions + text], {
      cwd,
      env: { ...env, ...own, ...more },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (some: Buffer) => (output += some.toString()));
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })) };
  };
  return {
    run: (text, more) => bash(text, more).ended,
    async start(text, words, more) {
      const { child, ended } = bash(text, more);
      const early = ended.then(({ output }) => Promise.reject(new Error(`It ended: ${output}`)));
      await Promise.race([seen(child, words), early]);
      early.catch(() => undefined);
      return async () => {
        signal(child, 'SIGTERM');
        await ended;
      };
    },
    close: async () => {
      for (const child of running) signal(child, 'SIGKILL');
      door.close();
      await once(door, 'close');
    },
  };
}

/** Sends a signal to a shell and to all that it has started. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name);
}

/** Waits until a program has printed these words. */
const seen = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (some: Buffer) => {
      text += some.toString();
      if (text.includes(words)) resolve();
    });
  });

/** An environment of words such as `NAME=value`. */
export const assigned = (words: readonly string[]): Environment =>
  Object.fromEntries(words.map((word) => word.split(/=(.*)/s) as [string, string]));

/** Runs the command that came through the door: its exit code in a line, then what it printed. */
async function answer(socket: Socket): Promise<void> {
  const [line = ''] = (await once(createInterface({ input: socket }), 'line')) as string[];
  const [args = [], entries = []] = line.split(' ').map((part) => {
    return Buffer.from(part, 'base64').toString().split('\0').slice(0, -1);
  });
  const env = assigned(entries);
  const printed: unknown[] = [];
  const keep = (some: unknown): void => void printed.push(some);
  const spies = (['log', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(keep));
  const before = process.cwd();
  process.chdir(String(env.PWD));
  const code = await runCommand(args, env);
  process.chdir(before);
  for (const spy of spies) spy.mockRestore();
  socket.end(`${code}\n${printed.map((some) => `${String(some)}\n`).join('')}`);
}
