import type { Clock } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';

/** A pass of background work: does what is due, answers how much that was. */
export type Pass = () => Promise<number>;

export interface LoopOptions {
  name: string;
  pass: Pass;
  /** How long to rest after a pass that found nothing, by the service's clock: a moved test clock ends the rest. */
  every_ms: number;
  clock: Clock;
  log: Logger;
  /** How often to look at the clock; real milliseconds. */
  tick_ms?: number;
}

export interface Loop {
  start(): void;
  /** Ends the rest: something is due. */
  wake(): void;
  /** Lets the running pass finish and starts no other. */
  stop(): Promise<void>;
}

/** Runs a pass again and again: at once while there is work, else when its rest is over; never two at a time. */
export function createLoop({ name, pass, every_ms, clock, log, tick_ms = 250 }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let due_at = 0;
  /** Counted, since what a wake announces may have come after the running pass looked. */
  let wakes = 0;
  let stopped = false;

  async function run(): Promise<void> {
    const heard = wakes;
    try {
      const done = await pass();
      due_at = done > 0 || wakes !== heard ? 0 : clock.now().getTime() + every_ms;
    } catch (error) {
      log.error({ err: error, job: name }, 'a background pass failed');
      due_at = clock.now().getTime() + Math.max(every_ms, 1_000);
    }
  }

  function tick(): void {
    if (running !== null || stopped || clock.now().getTime() < due_at) return;
    running = run().finally(() => {
      running = null;
      // More may be due: no need to wait for the next tick.
      if (due_at === 0) setImmediate(tick);
    });
  }

  return {
    start() {
      timer = setInterval(tick, tick_ms);
      setImmediate(tick);
    },
    wake() {
      wakes++;
      due_at = 0;
      tick();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
