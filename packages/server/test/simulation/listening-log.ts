import { pino } from 'pino';
import type { Logger } from '../../src/base/log.ts';

/**
 * A log that keeps each error as one line. A worker that cannot continue an item logs an error and goes on, and here
 * that must not happen.
 *
 * @param isDead whether the process that logs has crashed; its errors are then caused by the crash
 */
export const listeningLog = (errors: string[], isDead: () => boolean): Logger =>
  pino(
    { level: 'error', base: null, timestamp: false },
    {
      write(line: string): void {
        if (isDead()) return;
        const { msg = '', err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
        errors.push(`${msg}: ${err?.message ?? ''}`);
      },
    },
  );
