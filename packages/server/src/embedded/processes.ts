/** Looks at processes of the operating system, and starts programs that end with this process. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { asUser, type SystemUser } from './run-as.ts';

/** Whether a process with this id exists, also of another user. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The start of a process as the operating system writes it. It distinguishes the process from a later one with the same
 * id. Null if no such process runs; empty if the system does not tell.
 */
export function startOf(pid: number): string | null {
  if (!exists(pid)) return null;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may contain any character. The 22nd field is the start in ticks since boot.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended and uses no resources.
      if (fields[0] === 'Z') return null;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot}/${fields[19] ?? ''}`;
    } catch {
      return null;
    }
  }
  return ps(pid, 'lstart=');
}

/** Whether this process still runs. A zombie does not. */
export const isAlive = (pid: number): boolean => startOf(pid) !== null;

/** The command line of a process; empty if the system does not tell. */
export function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return ps(pid, 'args=');
}

function ps(pid: number, column: string): string {
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/**
 * The environment of the programs that we start. It contains none of our secrets, because the user of these programs
 * could read them. Messages are in English, because the code recognises some of them.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SystemDrive', 'ComSpec'];
  const kept = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'];
const watchdog = fileURLToPath(new URL('../../bin/with-parent.js', import.meta.url));

/** The parent may end before the kernel watches it. Then the program must not start. */
const unlessOrphaned = '[ "$PPID" = "$0" ] && exec "$@"';

type Output = number | 'pipe' | 'ignore' | 'inherit';

export interface BoundOptions {
  user: SystemUser | null;
  cwd: string;
  /** There is no standard input. Output and errors go to a file, a pipe, or nowhere. */
  stdio: ['ignore', Output, Output];
  /** The signal that the program gets when this process has ended for any reason. */
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Use the watchdog process even if the kernel could send the signal. */
  by_watchdog?: boolean;
}

/**
 * Starts a program that ends with this process, even if this process is killed. With `setpriv` the kernel sends the
 * parent-death signal; otherwise a small watchdog process watches a pipe. The kernel watches the thread that starts the
 * program, so a worker thread must live longer than the programs that it starts.
 *
 * The program gets its own session: Ctrl-C in a terminal reaches only this process, which then stops the program.
 */
export function spawnBound(command: string, args: string[], options: BoundOptions): ChildProcess {
  const { user, cwd, stdio, signal, by_watchdog = false } = options;
  const tool =
    process.platform === 'linux' && !by_watchdog ? setpriv.find((path) => existsSync(path)) : undefined;
  const common = { ...asUser(user), cwd, env: serverEnvironment(), detached: true, windowsHide: true };
  if (tool !== undefined) {
    const guard = ['--pdeathsig', signal.slice(3), '/bin/sh', '-c', unlessOrphaned, String(process.pid)];
    const child = spawn(tool, [...guard, command, ...args], { ...common, stdio });
    return child;
  }
  const [, out, err] = stdio;
  // The watchdog runs Node.js with one of our files, and the other user may not be able to read either. So it runs as
  // this user and starts the program as the other.
  const target = [signal, user === null ? '-' : `${user.uid}:${user.gid}`, command, ...args];
  const child = spawn(process.execPath, [watchdog, ...target], {
    cwd,
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['pipe', out, err],
  });
  // The pipe must stay open as long as this process runs, but must not keep it running.
  (child.stdin as Socket | null)?.unref();
  return child;
}
