/**
 * Work at the providers, counted channel by channel: a provider that hangs fills the lane of its own channel and
 * delays no other.
 */
export interface ChannelSlots {
  /** Channels that take no more for now; what is due there is left for later. */
  full(): string[];
  /** Begins work in the lane of a channel. It handles its own errors. */
  run(payment_no: string, work: () => Promise<void>): void;
  /** Once nothing is under way in any lane. */
  idle(): Promise<void>;
}

/** How much may be under way at one channel before no more is taken up for it. */
const maxPerChannel = 50;

/** @param room told when a channel that was full takes more again */
export function createChannelSlots(room: () => void = () => undefined, most = maxPerChannel): ChannelSlots {
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const add = (payment_no: string, one: 1 | -1): void => {
    const count = (counts.get(payment_no) ?? 0) + one;
    if (count === 0) counts.delete(payment_no);
    else counts.set(payment_no, count);
    if (one === -1 && count === most - 1) room();
  };
  return {
    full: () => Array.from(counts.keys()).filter((payment_no) => (counts.get(payment_no) ?? 0) >= most),
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
 * Begins all that is due, again until nothing more is, and waits for the end of it.
 *
 * @param begin takes up some of what is due and answers how much
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
