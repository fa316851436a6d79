/** Limits how many delivery attempts are under way at once. */
/** How many attempts one process may have under way at once. */
export interface GateLimits {
  /** To all receivers together. */
  total: number;
  per_merchant: number;
  /** To one host and port, for all merchants together. */
  per_destination: number;
  /** To one receiver: the limit at first (D-762), and the highest limit that quick answers can reach. */
  receiver_start: number;
  receiver_max: number;
  /** An attempt that holds its place longer than this makes its receiver slow. */
  slow_ms: number;
}

export const defaultLimits: GateLimits = {
  total: 512,
  per_merchant: 128,
  per_destination: 128,
  receiver_start: 2,
  receiver_max: 64,
  slow_ms: 2_000,
};

/** Gives a place back. `held_ms` says how long an attempt held it; null where no attempt was made. */
export type Place = (held_ms: number | null) => void;

/** One destination of one merchant. */
interface Receiver {
  in_flight: number;
  /** Its current limit. */
  width: number;
  slow: boolean;
}

const minWidth = 2;
/** A merchant with fewer attempts under way may take the last quarter of the places, too (D-1186). */
const few = 8;
/** Maximum number of receivers that are remembered while nothing is under way to them. */
const maxReceivers = 10_000;

/**
 * Decides how many more attempts may start to a receiver (a merchant and one of its destinations). Invariant: the count
 * never exceeds a limit of the process, the merchant, the destination or the receiver, and slow receivers together hold
 * at most half of the places of a merchant and of the process. The last quarter of the places of the process is for merchants that
 * have few attempts under way. The limit of a receiver rises by one with each quick
 * answer and halves with each slow one. So a receiver that hangs cannot take the places of the others.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #receivers = new Map<string, Receiver>();
  readonly #merchants = new Map<string, number>();
  readonly #destinations = new Map<string, number>();
  /** Attempts to slow receivers, by merchant; all together under the empty key. */
  readonly #slow = new Map<string, number>();
  #total = 0;

  constructor(limits: Partial<GateLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  get in_flight(): number {
    return this.#total;
  }

  /** How many more attempts of this merchant may start, to all destinations together. */
  freeFor(merchant_id: string): number {
    const { total, per_merchant } = this.#limits;
    const held = this.#merchants.get(merchant_id) ?? 0;
    const free = total - this.#total;
    return Math.min(per_merchant - held, Math.max(free - Math.floor(total / 4), Math.min(free, few - held)));
  }

  /** How many more may start to one receiver. `freeFor` limits the sum over its merchant. */
  freeIn(merchant_id: string, destination: string): number {
    const { total, per_merchant, per_destination, receiver_start } = this.#limits;
    const receiver = this.#receivers.get(receiverKey(merchant_id, destination));
    const bounds = [
      this.freeFor(merchant_id),
      per_destination - (this.#destinations.get(destination) ?? 0),
      (receiver?.width ?? receiver_start) - (receiver?.in_flight ?? 0),
    ];
    if (receiver?.slow === true) {
      bounds.push(Math.ceil(total / 2) - (this.#slow.get('') ?? 0));
      bounds.push(Math.ceil(per_merchant / 2) - (this.#slow.get(merchant_id) ?? 0));
    }
    return Math.max(0, Math.min(...bounds));
  }

  /** Takes a place. */
  enter(merchant_id: string, destination: string): Place {
    const receiver = this.#receiver(merchant_id, destination);
    const wasSlow = receiver.slow;
    this.#count(merchant_id, destination, 1);
    if (wasSlow) this.#countSlow(merchant_id, 1);
    receiver.in_flight++;
    return (held_ms) => {
      this.#count(merchant_id, destination, -1);
      if (wasSlow) this.#countSlow(merchant_id, -1);
      receiver.in_flight--;
      if (held_ms === null) return;
      receiver.slow = held_ms > this.#limits.slow_ms;
      receiver.width = receiver.slow
        ? Math.max(minWidth, Math.floor(receiver.width / 2))
        : Math.min(this.#limits.receiver_max, receiver.width + 1);
    };
  }

  #receiver(merchant_id: string, destination: string): Receiver {
    const key = receiverKey(merchant_id, destination);
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    this.#forgetIdleReceivers();
    const receiver = { in_flight: 0, width: this.#limits.receiver_start, slow: false };
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #forgetIdleReceivers(): void {
    if (this.#receivers.size < maxReceivers) return;
    for (const [key, receiver] of this.#receivers) if (receiver.in_flight === 0) this.#receivers.delete(key);
  }

  #count(merchant_id: string, destination: string, by: 1 | -1): void {
    this.#total += by;
    add(this.#merchants, merchant_id, by);
    add(this.#destinations, destination, by);
  }

  #countSlow(merchant_id: string, by: 1 | -1): void {
    add(this.#slow, '', by);
    add(this.#slow, merchant_id, by);
  }
}

const receiverKey = (merchant_id: string, destination: string): string => `${merchant_id} ${destination}`;

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
