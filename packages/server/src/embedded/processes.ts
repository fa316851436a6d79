import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { asUser, type SystemUser } from './run-as.ts';

/** Whether a process with this id is there, be it another user's. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * What tells a process from a later one with the same id: when it started, in the words of the operating system.
 * Null where no such process runs; empty where the system cannot tell.
 */
export function startOf(pid: number): string | null {
  if (!exists(pid)) return null;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may hold anything; the 22nd field is the start in ticks since boot.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie is no more than its exit code: it holds nothing.
      if (fields[0] === 'Z') return null;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot}/${fields[19] ?? ''}`;
    } catch {
      return null;
    }
  }
  return ps(pid, 'lstart=');
}

/** Whether this process still runs. A zombie, which waits for its parent to take note, does not. */
export const isAlive = (pid: number): boolean => startOf(pid) !== null;

/** The command line of a process, or empty where the system cannot tell. */
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
 * The environment of the servers we start: enough to run, and none of our secrets, which the user they run as
 * could read. Messages in English, so that they can be recognised.
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

/** The parent may die before the kernel is told to watch it: then the program must not start at all. */
const unlessOrphaned = '[ "$PPID" = "$0" ] && exec "$@"';

type Output = number | 'pipe' | 'ignore';

export interface BoundOptions {
  user: SystemUser | null;
  cwd: string;
  /** Standard input is never given; output and errors go to a file, a pipe, or nowhere. */
  stdio: ['ignore', Output, Output];
  /** What the program is sent when this process is gone, however it went. */
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Watch by a process and a pipe even where the kernel could do it. */
  by_watchdog?: boolean;
}

/**
 * Starts a program that ends with this process, even if that is killed without a chance to say so: by the
 * kernel's parent-death signal where there is `setpriv`, else by a small process that watches a pipe. The kernel
 * minds the thread that starts the program, so a worker thread must outlive what it starts.
 *
 * The program gets a session of its own: Ctrl-C in a terminal reaches us, and we stop it when it is time.
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
  // The watchdog is Node.js running a file of ours, neither of which another user need be able to reach: it stays
  // this user's, and changes to the other when it starts the program.
  const target = [signal, user === null ? '-' : `${user.uid}:${user.gid}`, command, ...args];
  const child = spawn(process.execPath, [watchdog, ...target], {
    cwd,
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['pipe', out, err],
  });
  // The pipe must live as long as this process and must not prolong its life.
  (child.stdin as Socket | null)?.unref();
  return child;
}
