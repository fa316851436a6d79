import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const hooks = fileURLToPath(new URL('./register-typescript.js', import.meta.url));

/** A process that runs one of our sources, as the built program would run. */
export interface SourceProcess {
  child: ChildProcess;
  pid: number;
  /** The next line of its output; throws its error output if it ends instead. */
  line(): Promise<string>;
  /** Its standard error so far. */
  errors(): string;
  /** Its exit code; null where a signal ended it. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

const program = fileURLToPath(new URL('../../../bin/paydesk.js', import.meta.url));

interface ProcessOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Where stripped sources are kept: to load TypeScript takes most of the start of a small process. */
const stripped = fileURLToPath(new URL('../../../../../.cache/stripped', import.meta.url));

/** Starts a TypeScript file in a process of its own, without a build. */
export function startSource(file: string, args: string[] = [], options: ProcessOptions = {}): SourceProcess {
  mkdirSync(stripped, { recursive: true });
  return startNode(file, ['--conditions', 'paydesk-source', '--import', hooks, file, ...args], {
    ...options,
    env: { PAYDESK_STRIPPED: stripped, ...options.env },
  });
}

/** Starts the built `paydesk` program. Build it before the tests. */
export function startPaydesk(args: string[], options: ProcessOptions = {}): SourceProcess {
  return startProgram(program, args, options);
}

/** Starts another program, such as that of an older release. */
export function startProgram(file: string, args: string[], options: ProcessOptions = {}): SourceProcess {
  return startNode(file, [file, ...args], options);
}

function startNode(file: string, args: string[], options: ProcessOptions): SourceProcess {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    pid: child.pid ?? 0,
    exited,
    errors: () => errors,
    async line() {
      const next = (await lines.next()) as IteratorResult<string, undefined>;
      if (next.done === true) throw new Error(`${file} ended: ${errors}`);
      return next.value;
    },
    async kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
