/** The loop that runs background work: again and again, one pass at a time. */
import { isPassing } from '../base/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';
import { inPassSpan } from '../base/tracing/tracing.ts';
import { createWatchdog, usualLongest_ms } from '../base/watchdog.ts';
import type { Rest } from './rest.ts';

/** A pass of background work: processes what is due and returns the number of processed items. */
export type Pass = () => Promise<number>;

export interface LoopOptions {
  name: string;
  pass: Pass;
  /** Pause after a pass that found nothing. It is measured by the service's clock, so moving the test clock ends it. */
  every_ms: number;
  clock: Clock;
  log: Logger;
  /** How often the loop reads the clock, in real milliseconds. */
  tick_ms?: number;
  /** A pass that runs for longer, in real milliseconds, does not end by itself: the watchdog tells of it. */
  longest_ms?: number | undefined;
  /** Lets the loop rest while nothing happens on the platform (D-420); absent: it never rests. */
  rest?: LoopRest;
}

export interface LoopRest {
  of: Pick<Rest, 'allows' | 'stir'>;
  /** The longest rest, in real milliseconds; absent: the usual one. 0: it never rests, but stirs others. */
  longest_ms?: number | undefined;
  /** Told again and again while the loop rests. */
  onRest?: () => void;
}

export interface Loop {
  start(): void;
  /** Ends the pause, because something is due. A loop that was not started runs, too, until nothing is due. */
  wake(): void;
  /** The name of the loop where its pass does not end, else nothing. */
  stuck(): string[];
  /** Waits for the running pass. No other pass starts. */
  stop(): Promise<void>;
}

/** A pause by the service's clock. */
function createPause(clock: Clock) {
  let begun_at = 0;
  let ends_at = 0;
  return {
    begin(ms: number): void {
      begun_at = clock.now().getTime();
      ends_at = begun_at + ms;
    },
    end(): void {
      ends_at = 0;
    },
    /** It is over too where the clock was set back, or it would last that much longer. */
    isOver(): boolean {
      const now = clock.now().getTime();
      return now >= ends_at || now < begun_at;
    },
  };
}

/** Begins to watch the test clock. The result tells whether it was moved. Two readings are never of one instant. */
function watchOffset(clock: Clock): () => boolean {
  const offset_ms = (): number => clock.now().getTime() - clock.real().getTime();
  const before_ms = offset_ms();
  return () => Math.abs(offset_ms() - before_ms) > 100;
}

/** Creates a loop that runs a pass again at once while there is work, else after a pause. Passes never overlap. */
export function createLoop(options: LoopOptions): Loop {
  const { name, pass, every_ms, clock, log, tick_ms = 250, longest_ms = usualLongest_ms, rest } = options;
  const watchdog = createWatchdog({ name, log, longest_ms });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const pause = createPause(clock);
  /** Counted, because the work that a wake announces may arrive after the running pass has looked for work. */
  let wakes = 0;
  /** When the last pass began, by the monotonic clock, if it found nothing; else null. */
  let idle_since_ms: number | null = null;
  let stopped = false;
  /** Whether the last pass failed. */
  let failed = false;

  function mayRest(): boolean {
    if (idle_since_ms === null || !rest?.of.allows(idle_since_ms, rest.longest_ms)) return false;
    rest.onRest?.();
    return true;
  }

  async function run(): Promise<void> {
    const wakes_before = wakes;
    const began_ms = performance.now();
    const wasMoved = watchOffset(clock);
    const end = watchdog.begin();
    idle_since_ms = null;
    try {
      const done = await inPassSpan(name, pass);
      failed = false;
      if (done > 0) rest?.of.stir();
      // The pass may have read the clock before it was moved.
      if (done > 0 || wakes !== wakes_before || wasMoved()) pause.end();
      else {
        pause.begin(every_ms);
        idle_since_ms = began_ms;
      }
    } catch (error) {
      const level = isPassing(error) && !failed ? 'warn' : 'error';
      log[level]({ err: error, job: name }, 'a background pass failed');
      failed = true;
      pause.begin(Math.max(every_ms, 1_000));
    } finally {
      end();
    }
  }

  function tick(): void {
    watchdog.look();
    if (running !== null || stopped || !pause.isOver() || mayRest()) return;
    running = run().finally(() => {
      running = null;
      // More work may be due: do not wait for the next tick.
      if (pause.isOver()) setImmediate(tick);
    });
  }

  return {
    start() {
      timer = setInterval(tick, tick_ms);
      setImmediate(tick);
    },
    wake() {
      wakes++;
      pause.end();
      idle_since_ms = null;
      tick();
    },
    stuck: () => watchdog.stuck(),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
