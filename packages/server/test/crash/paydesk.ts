import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Answer, ask, type Json } from './ask.ts';
import { Door } from './door.ts';

/** How many times what is refused for the moment is repeated, a second apart. */
export const patience = 60;

const program = fileURLToPath(new URL('../../bin/paydesk.js', import.meta.url));

/** The built service as an operator runs it: one process that can be killed and started again. */
export interface Paydesk {
  url: string;
  /** Open while the service is there for clients. */
  door: Door;
  /** Its logged errors, and how it ended by itself. Both must stay empty. */
  complaints: string[];
  /** Starts it and waits until it serves; gives the milliseconds that took. The door stays as it is. */
  start(): Promise<number>;
  /** Starts it and kills it after this many milliseconds, at any point. */
  startAndKill(after_ms: number): Promise<void>;
  /** Closes the door and kills the process as `kill -9` does. */
  kill(): Promise<void>;
  /** Ends it in good order and gives its exit code. */
  stop(): Promise<number | null>;
  /** Another command of the program, in the same environment. */
  run(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** A call of the administration API; throws unless it succeeds. */
  admin: <T = Json>(method: string, path: string, body?: unknown) => Promise<T>;
}

/**
 * @param environment the environment of the service besides `PATH`; it inherits nothing else
 * @param admin_key the key that `environment` contains
 * @param log_file the file that gets all that the service logs; default: none
 */
export function paydeskOf(
  url: string,
  admin_key: string,
  environment: Record<string, string>,
  log_file: string | null = null,
): Paydesk {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const door = new Door();
  const complaints: string[] = [];
  let running: Running | null = null;

  const launch = (): Running => {
    const started = run(['serve', '--role', 'all'], env, complaints, log_file);
    running = started;
    void started.ended.then((how) => {
      if (running !== started) return;
      // It ended without a request to stop.
      running = null;
      const said = `the service ended by itself (${how}): ${started.lastWords()}`;
      complaints.push(said);
      door.fail(new Error(said));
    });
    return started;
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = running;
    running = null;
    door.close();
    ending?.child.kill(signal);
    await ending?.ended;
    return ending?.child.exitCode ?? null;
  };

  return {
    url,
    door,
    complaints,
    async start() {
      const began = performance.now();
      const started = launch();
      await Promise.race([
        started.serving,
        started.ended.then((how) => {
          throw new Error(`the service did not start (${how}): ${started.lastWords()}`);
        }),
      ]);
      return performance.now() - began;
    },
    async startAndKill(after_ms) {
      launch();
      await new Promise((resolve) => setTimeout(resolve, after_ms));
      await end('SIGKILL');
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async run(...args) {
      const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, output };
    },
    async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
      const call = (): Promise<Answer<T> | null> =>
        ask<T>(`${url}/admin/v1${path}`, method, {
          headers: { authorization: `Bearer ${admin_key}` },
          ...(body === undefined ? {} : { body }),
        });
      let answer = await call();
      // On a busy machine a service that has just started may have to refuse for a while.
      for (let again = 0; method === 'GET' && answer?.status === 503 && again < patience; again++) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        answer = await call();
      }
      if (answer === null || answer.status >= 300) {
        throw new Error(`${method} ${path}: ${answer === null ? 'no answer' : answer.text}`);
      }
      return answer.body;
    },
  };
}

interface Running {
  child: ChildProcess;
  serving: Promise<void>;
  /** How it ended: its exit code or signal. */
  ended: Promise<string>;
  lastWords(): string;
}

/** On a machine that is too slow for the load: the caller got 503, as D-505 says, and tries again. */
const overloaded = 'NotTriedError: Connection terminated: it had no turn in time';

/** Starts the program and reads its log as it comes. */
function run(args: string[], env: NodeJS.ProcessEnv, complaints: string[], log_file: string | null): Running {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const words: string[] = [];
  let isServing = (): void => undefined;
  const serving = new Promise<void>((resolve) => (isServing = resolve));
  const hear = (stream: Readable, heard: (line: string) => void): void => {
    createInterface({ input: stream }).on('line', (line) => {
      words.push(line);
      if (log_file !== null) appendFileSync(log_file, `${line}\n`);
      if (words.length > 20) words.shift();
      heard(line);
    });
  };
  hear(child.stdout, (line) => {
    if (line.includes('"msg":"paydesk is serving"')) isServing();
    else if (/^\{"level":"(error|fatal)"/.test(line) && !line.includes(overloaded)) complaints.push(line);
  });
  hear(child.stderr, () => undefined);
  const ended = once(child, 'exit').then(([code, signal]) => String(code ?? signal));
  return { child, serving, ended, lastWords: () => words.join('\n') };
}
