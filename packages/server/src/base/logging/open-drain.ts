/** Opens the destinations of logs: standard output and files. */
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  write as writeAsync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { LogDrain, type Sink } from './drain.ts';

/** A file: its disk may be slow, so a thread writes. */
const fileSink = (fd: number, may_wait = false): Sink => ({
  may_wait,
  write: (bytes, done) => {
    writeAsync(fd, bytes, 0, bytes.length, null, done);
  },
  writeSync: (bytes) => writeSync(fd, bytes),
});

/** A pipe, socket or terminal that answers EAGAIN where it would wait. */
const promptSink = (fd: number): Sink => ({
  may_wait: false,
  write: null,
  writeSync: (bytes) => writeSync(fd, bytes),
});

/** A drain that appends to a file, which only its owner can read: a log names people and addresses. */
export function openLogFile(path: string): LogDrain {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, 'a', 0o600);
  // An earlier version may have created it so that everyone can read it.
  chmodSync(path, 0o600);
  return new LogDrain(fileSink(fd));
}

let standard: LogDrain | undefined;

/** The drain to standard output: one for the whole process, which writes the rest when the process ends. */
export function standardDrain(): LogDrain {
  if (standard !== undefined) return standard;
  const drain = new LogDrain(openStandardOutput());
  process.on('exit', () => {
    drain.flushSync();
  });
  return (standard = drain);
}

/**
 * What an output is. In big integers: Node.js keeps the last look in plain numbers, and after one at a pipe or a socket
 * it no longer follows the link to a package that it loads.
 */
const look = (fd: number): BigIntStats => fstatSync(fd, { bigint: true });

/** Standard output in a way that does not wait. */
function openStandardOutput(): Sink {
  const fd = 1;
  if (look(fd).isFile()) return fileSink(fd);
  const own = openOnceMore(fd);
  if (own !== null) return promptSink(own);
  try {
    // Opening a socket object sets the flag, for programs too that share the output.
    new Socket({ fd, readable: false, writable: true }).unref();
    return promptSink(fd);
  } catch {
    // A terminal of another system than Linux: a thread of the pool waits then, not the service.
    return fileSink(fd, true);
  }
}

/**
 * Opens a pipe or a terminal again, so that the flag for not waiting does not affect programs that share it. Null for
 * a socket, such as the one of journald, for a pipe of another user, and on other systems than Linux.
 */
function openOnceMore(fd: number): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  try {
    const own = openSync(`/proc/self/fd/${fd}`, flags);
    const [a, b] = [look(fd), look(own)];
    if (a.ino === b.ino && a.dev === b.dev) return own;
    closeSync(own);
  } catch {
    // Falls through.
  }
  return null;
}
