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

/**
 * @param onFree called when a full channel has a free slot again
 * @param limit slots of one channel
 */
export function createChannelSlots(
  onFree: () => void = () => undefined,
  limit = maxPerChannel,
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
      const task = work().finally(() => {
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
 * Runs due work until nothing is due any more, and waits for its end.
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
