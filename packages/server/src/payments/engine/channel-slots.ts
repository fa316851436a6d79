import { setTimeout as pause } from 'node:timers/promises';

/**
 * Limits how much work runs at once for each channel. A provider that hangs fills the slots of its own channel and delays
 * no other channel.
 */
export interface ChannelSlots {
  /** Channels without a free slot. Their due work waits. */
  full(): string[];
  /** Starts work in a slot of a channel. The work handles its own errors. */
  run(payment_no: string, work: () => Promise<void>): void;
  /** Resolves when no work is running in any channel. */
  idle(): Promise<void>;
}

/** Slots of one channel. */
const maxPerChannel = 50;

/** Makes work start later: `turn` resolves when the next work of a channel may start. */
export interface Pace {
  turn(payment_no: string): Promise<void>;
}

/**
 * At most `per_second` starts in a second for each channel, evenly spaced. Times are real milliseconds: they
 * protect the provider, whatever the clock of the orders says.
 */
export function createPace(
  per_second: number,
  now: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => pause(ms),
): Pace {
  const next = new Map<string, number>();
  return {
    async turn(payment_no) {
      const at = now();
      const start = Math.max(at, next.get(payment_no) ?? at);
      next.set(payment_no, start + 1_000 / per_second);
      if (start > at) await wait(start - at);
    },
  };
}

/**
 * @param onFree called when a full channel has a free slot again
 * @param limit slots of one channel
 * @param pace limits how often work starts; null: at once
 */
export function createChannelSlots(
  onFree: () => void = () => undefined,
  limit = maxPerChannel,
  pace: Pace | null = null,
): ChannelSlots {
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const add = (payment_no: string, one: 1 | -1): void => {
    const count = (counts.get(payment_no) ?? 0) + one;
    if (count === 0) counts.delete(payment_no);
    else counts.set(payment_no, count);
    if (one === -1 && count === limit - 1) onFree();
  };
  return {
    full: () => Array.from(counts.keys()).filter((payment_no) => (counts.get(payment_no) ?? 0) >= limit),
    run(payment_no, work) {
      add(payment_no, 1);
      const task = (pace === null ? work() : pace.turn(payment_no).then(work)).finally(() => {
        running.delete(task);
        add(payment_no, -1);
      });
      running.add(task);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/**
 * Runs due work until nothing is due, and waits for its end.
 *
 * @param begin starts some of the due work and returns how much
 * @returns how much work ran
 */
export async function runUntilNoneDue(begin: (slots: ChannelSlots) => Promise<number>): Promise<number> {
  const slots = createChannelSlots();
  let done = 0;
  for (;;) {
    const begun = await begin(slots);
    await slots.idle();
    if (begun === 0) return done;
    done += begun;
  }
}
