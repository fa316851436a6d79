import { pino } from 'pino';
import type { Logger } from '../../src/base/log.ts';

interface Line {
  process: number;
  msg?: string;
  err?: { message?: string };
}

/**
 * Logs that keep each error as one line. A worker that cannot continue an item logs an error and goes on, and here that
 * must not happen. One log has a child for each process: to open another log costs 17 times as much.
 *
 * @returns makes the log of a process. `isDead`: whether the process has crashed; its errors are then caused by the crash
 */
export function listeningLogs(errors: string[]): (isDead: () => boolean) => Logger {
  const processes: (() => boolean)[] = [];
  const log = pino(
    { level: 'error', base: null, timestamp: false },
    {
      write(line: string): void {
        const { process, msg = '', err } = JSON.parse(line) as Line;
        if (processes[process]?.() !== true) errors.push(`${msg}: ${err?.message ?? ''}`);
      },
    },
  );
  return (isDead) => log.child({ process: processes.push(isDead) - 1 });
}
