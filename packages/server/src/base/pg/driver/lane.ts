/** A connection that several pieces of work share. */
export interface Shared<T> {
  connection: Promise<T>;
  /** Called once, when the last piece of work on it has ended. */
  release(): void;
}

interface Lane<T> extends Shared<T> {
  underWay: number;
}

export interface LaneOptions<T> {
  /** Maximum number of pieces of work that are under way on the connection at once. */
  max_under_way: number;
  /** After this time, nothing is queued behind work that is still under way: work that hangs delays few others. */
  patience_ms: number;
  /** Opens a connection; it calls `lost` when the connection cannot be used any more. */
  open: (lost: () => void) => Shared<T>;
}

/**
 * A lane: one connection that requests share, with pieces of work sent one behind the other. While the lane is full,
 * work waits in the order of arrival.
 *
 * Invariant: work joins only the current lane. A lane that is lost, empty or too slow is not current any more; its
 * connection is released when its last piece of work has ended.
 */
export function openLane<T>({
  max_under_way,
  patience_ms,
  open,
}: LaneOptions<T>): <R>(work: (connection: T) => Promise<R>) => Promise<R> {
  let current: Lane<T> | undefined;
  const waiting: ((lane: Lane<T>) => void)[] = [];

  const retire = (lane: Lane<T>): void => {
    if (current !== lane) return;
    current = undefined;
    admitWaiting();
  };
  const openNext = (): Lane<T> => {
    const shared = open(() => {
      retire(lane);
    });
    const lane: Lane<T> = { ...shared, underWay: 0 };
    return lane;
  };
  /** Joins the current lane; null if it is full. */
  const join = (): Lane<T> | null => {
    current ??= openNext();
    if (current.underWay >= max_under_way) return null;
    current.underWay += 1;
    return current;
  };
  const leave = (lane: Lane<T>): void => {
    lane.underWay -= 1;
    if (lane.underWay === 0) {
      lane.release();
      retire(lane);
    }
    admitWaiting();
  };
  function admitWaiting(): void {
    while (waiting.length > 0) {
      const lane = join();
      if (lane === null) return;
      waiting.shift()?.(lane);
    }
  }

  return async (work) => {
    const lane = join() ?? (await new Promise<Lane<T>>((turn) => waiting.push(turn)));
    let patience: NodeJS.Timeout | undefined;
    try {
      const connection = await lane.connection;
      patience = setTimeout(retire, patience_ms, lane);
      return await work(connection);
    } finally {
      clearTimeout(patience);
      leave(lane);
    }
  };
}
