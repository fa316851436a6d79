/** Something that several pieces of work share, such as a connection that takes statements one behind the other. */
export interface Shared<T> {
  it: Promise<T>;
  /** Called once, when the last piece of work on it has ended. */
  giveBack(): void;
}

interface Lane<T> extends Shared<T> {
  underWay: number;
}

export interface LaneOptions<T> {
  /** How many pieces of work may be under way on it. */
  deep: number;
  /** After which nothing more is put behind work that is still under way: what hangs holds up few, and not for long. */
  patience_ms: number;
  /** Opens what is shared; `lost` says that it can be used no more. */
  open: (lost: () => void) => Shared<T>;
}

/**
 * Puts work one behind the other on one shared thing, for as long as there is any. Where as much is under way there as may
 * be, work waits for its turn, in the order in which it came.
 */
export function openLane<T>({
  deep,
  patience_ms,
  open,
}: LaneOptions<T>): <R>(work: (shared: T) => Promise<R>) => Promise<R> {
  let current: Lane<T> | undefined;
  const waiting: ((lane: Lane<T>) => void)[] = [];

  /** Nobody else joins this lane. */
  const retire = (lane: Lane<T>): void => {
    if (current !== lane) return;
    current = undefined;
    admit();
  };
  const opened = (): Lane<T> => {
    const shared = open(() => {
      retire(lane);
    });
    const lane: Lane<T> = { ...shared, underWay: 0 };
    return lane;
  };
  /** The lane, joined; null where it is full. */
  const joined = (): Lane<T> | null => {
    current ??= opened();
    if (current.underWay >= deep) return null;
    current.underWay += 1;
    return current;
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
    let patience: NodeJS.Timeout | undefined;
    try {
      const shared = await lane.it;
      patience = setTimeout(retire, patience_ms, lane);
      return await work(shared);
    } finally {
      clearTimeout(patience);
      left(lane);
    }
  };
}
