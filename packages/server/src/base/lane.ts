/** Something that several pieces of work share, such as a connection that takes statements one behind the other. */
export interface Shared<T> {
  it: Promise<T>;
  /** Called once, when the last piece of work on it has ended. */
  giveBack(): void;
}

interface Lane<T> extends Shared<T> {
  underWay: number;
}

export interface LanesOptions<T> {
  /** How many are shared at a time. */
  lanes: number;
  /** How many pieces of work may be under way on one. */
  deep: number;
  /** After which nothing more is put behind work that is still under way: what hangs holds up few, and not for long. */
  patience_ms: number;
  /** Opens what is shared; `lost` says that it can be used no more. */
  open: (lost: () => void) => Shared<T>;
}

/**
 * Spreads work over a few shared things, each for as long as there is work on it. Where all of them have as much as they may,
 * work waits for its turn, in the order in which it came.
 */
export function openLanes<T>({
  lanes,
  deep,
  patience_ms,
  open,
}: LanesOptions<T>): <R>(work: (shared: T) => Promise<R>) => Promise<R> {
  const slots: (Lane<T> | undefined)[] = Array.from({ length: lanes }, () => undefined);
  const waiting: ((lane: Lane<T>) => void)[] = [];
  const underWayIn = (slot: number): number => slots[slot]?.underWay ?? 0;

  /** Nobody else joins this lane. */
  const retire = (lane: Lane<T>): void => {
    const slot = slots.indexOf(lane);
    if (slot === -1) return;
    slots[slot] = undefined;
    admit();
  };
  const openedIn = (slot: number): Lane<T> => {
    const shared = open(() => {
      retire(lane);
    });
    const lane: Lane<T> = { ...shared, underWay: 0 };
    slots[slot] = lane;
    return lane;
  };
  /** The lane with the least to do, joined; null where all are full. */
  const joined = (): Lane<T> | null => {
    let least = 0;
    for (let slot = 1; slot < lanes; slot++) if (underWayIn(slot) < underWayIn(least)) least = slot;
    if (underWayIn(least) >= deep) return null;
    const lane = slots[least] ?? openedIn(least);
    lane.underWay += 1;
    return lane;
  };
  const left = (lane: Lane<T>): void => {
    lane.underWay -= 1;
    if (lane.underWay === 0) {
      lane.giveBack();
      retire(lane);
    }
    admit();
  };
  function admit(): void {
    while (waiting.length > 0) {
      const lane = joined();
      if (lane === null) return;
      waiting.shift()?.(lane);
    }
  }

  return async (work) => {
    const lane = joined() ?? (await new Promise<Lane<T>>((turn) => waiting.push(turn)));
    const patience = setTimeout(retire, patience_ms, lane);
    try {
      return await work(await lane.it);
    } finally {
      clearTimeout(patience);
      left(lane);
    }
  };
}
