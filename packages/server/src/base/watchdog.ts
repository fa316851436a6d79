/** Notices work that does not end, such as a pass of background work that waits without limit. */
import type { Logger } from './log.ts';

export interface Watchdog {
  /** Work begins; the function that this returns says that it has ended. */
  begin(): () => void;
  /** Looks at the work, and tells the log once where it does not end. Call it now and then. */
  look(): void;
  /** The name of the work where it does not end, else nothing. */
  stuck(): string[];
}

export interface WatchdogOptions {
  name: string;
  log: Logger;
  /** Work that runs for longer, in real milliseconds, does not end by itself. */
  longest_ms: number;
}

/** All calls of a usual pass have limits, and add up to less. */
export const usualLongest_ms = 120_000;

/** Watches work that runs one at a time. */
export function createWatchdog({ name, log, longest_ms }: WatchdogOptions): Watchdog {
  let begun_ms: number | null = null;
  let told = false;
  const isStuck = (): boolean => begun_ms !== null && performance.now() - begun_ms > longest_ms;
  return {
    begin() {
      begun_ms = performance.now();
      return () => {
        begun_ms = null;
        if (told) log.warn({ job: name }, 'a background pass that did not end has ended');
        told = false;
      };
    },
    look() {
      if (told || !isStuck()) return;
      told = true;
      log.error(
        { job: name, longest_seconds: longest_ms / 1_000 },
        'a background pass does not end: restart this process',
      );
    },
    stuck: () => (isStuck() ? [name] : []),
  };
}
