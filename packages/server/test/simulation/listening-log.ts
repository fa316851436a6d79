import { pino } from 'pino';
import type { Logger } from '../../src/base/log.ts';

/**
 * A log that keeps what is logged as an error, in a line: a worker that cannot carry something on logs it and goes on,
 * and nothing may be like that here.
 *
 * @param isDead whether the process that logs has died: what fails then fails because of that
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
