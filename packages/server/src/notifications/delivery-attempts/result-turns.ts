/** Merchants take turns to have the results of their deliveries stored. */

/** Maximum number of quick statements under way. Other results wait for one of them and then go together. */
const maxQuick = 4;
/** Maximum number of them for one merchant. */
const maxOfMerchant = 2;
/** A statement that takes longer gives its place to another merchant, because it may wait for a lock. */
const slow_ms = 500;
/** Maximum number of statements under way, quick and slow. */
const maxStatements = 8;
const batchSize = 128;

/**
 * Lets merchants take turns. A slow statement gives its place to another merchant, and its own has no new one until it
 * ends, so results that cannot be stored do not hold up those of other merchants (D-761).
 *
 * @param store stores results of one merchant; it never rejects
 * @returns a function that adds results of a merchant
 */
export function takeTurns<T>(
  store: (merchant_id: string, items: T[]) => Promise<void>,
): (merchant_id: string, items: T[]) => void {
  const queues = new Map<string, T[]>();
  /** Merchants with statements under way: how many, and whether one of them is slow. */
  const storing = new Map<string, { statements: number; isSlow: boolean }>();
  let underWay = 0;
  let quick = 0;
  let isPlanned = false;

  /** Waits for all results of this turn of the event loop. */
  function storeSoon(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      storeReady();
    });
  }

  function storeReady(): void {
    for (const [merchant_id, queue] of queues) {
      if (quick >= maxQuick || underWay >= maxStatements) return;
      const { statements, isSlow } = storing.get(merchant_id) ?? { statements: 0, isSlow: false };
      if (isSlow || statements >= maxOfMerchant) continue;
      queues.delete(merchant_id);
      const rest = queue.splice(batchSize);
      if (rest.length > 0) queues.set(merchant_id, rest);
      void storeInPlace(merchant_id, queue);
    }
  }

  async function storeInPlace(merchant_id: string, items: T[]): Promise<void> {
    const own = storing.get(merchant_id) ?? { statements: 0, isSlow: false };
    storing.set(merchant_id, own);
    own.statements++;
    underWay++;
    quick++;
    let leavePlace = (): void => void quick--;
    const timer = setTimeout(() => {
      own.isSlow = true;
      leavePlace();
      leavePlace = () => undefined;
      storeSoon();
    }, slow_ms);
    await store(merchant_id, items);
    clearTimeout(timer);
    leavePlace();
    underWay--;
    own.statements--;
    if (own.statements === 0) storing.delete(merchant_id);
    storeSoon();
  }

  return (merchant_id: string, items: T[]): void => {
    const queue = queues.get(merchant_id);
    if (queue === undefined) queues.set(merchant_id, [...items]);
    else queue.push(...items);
    storeSoon();
  };
}
