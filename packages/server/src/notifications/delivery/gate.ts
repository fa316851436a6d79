/** How much may be under way at once, in one process. */
export interface GateLimits {
  /** Attempts altogether. */
  total: number;
  per_merchant: number;
  /** To one host and port, whoever's events they are. */
  per_destination: number;
  /** To one destination of one merchant: where it starts, and how far quick answers widen it. */
  lane_start: number;
  lane_max: number;
  /** Whoever held a place longer than so many milliseconds was slow. */
  slow_ms: number;
}

export const defaultLimits: GateLimits = {
  total: 512,
  per_merchant: 128,
  per_destination: 128,
  lane_start: 8,
  lane_max: 64,
  slow_ms: 2_000,
};

/** Gives a place back: told for how many milliseconds an attempt held it, or null where none came to be. */
export type Place = (held_ms: number | null) => void;

interface Lane {
  in_flight: number;
  /** How many at once, for now. */
  width: number;
  slow: boolean;
}

const minWidth = 2;
/** Lanes remembered while nothing is under way in them. */
const maxLanes = 10_000;

/**
 * Decides how many more attempts may start for a merchant and one of its destinations (a lane). A lane widens with
 * quick answers and narrows with slow ones, and slow lanes together never take more than half of what a merchant or the
 * process has: so receivers that hang hold few places, and none that the others need.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #merchants = new Map<string, number>();
  readonly #destinations = new Map<string, number>();
  /** In flight in slow lanes, by merchant, and altogether under the empty name. */
  readonly #slow = new Map<string, number>();
  #total = 0;

  constructor(limits: Partial<GateLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  get in_flight(): number {
    return this.#total;
  }

  /** How many more attempts of this merchant may start, whatever their destination. */
  freeFor(merchant_id: string): number {
    const { total, per_merchant } = this.#limits;
    return Math.min(total - this.#total, per_merchant - (this.#merchants.get(merchant_id) ?? 0));
  }

  /** How many more may start in one lane; `freeFor` bounds their sum. */
  freeIn(merchant_id: string, destination: string): number {
    const { total, per_merchant, per_destination, lane_start } = this.#limits;
    const lane = this.#lanes.get(laneOf(merchant_id, destination));
    const bounds = [
      this.freeFor(merchant_id),
      per_destination - (this.#destinations.get(destination) ?? 0),
      (lane?.width ?? lane_start) - (lane?.in_flight ?? 0),
    ];
    if (lane?.slow === true) {
      bounds.push(Math.ceil(total / 2) - (this.#slow.get('') ?? 0));
      bounds.push(Math.ceil(per_merchant / 2) - (this.#slow.get(merchant_id) ?? 0));
    }
    return Math.max(0, Math.min(...bounds));
  }

  /** Takes a place. */
  enter(merchant_id: string, destination: string): Place {
    const lane = this.#lane(merchant_id, destination);
    const wasSlow = lane.slow;
    this.#count(merchant_id, destination, 1);
    if (wasSlow) this.#countSlow(merchant_id, 1);
    lane.in_flight++;
    return (held_ms) => {
      this.#count(merchant_id, destination, -1);
      if (wasSlow) this.#countSlow(merchant_id, -1);
      lane.in_flight--;
      if (held_ms === null) return;
      lane.slow = held_ms > this.#limits.slow_ms;
      lane.width = lane.slow
        ? Math.max(minWidth, Math.floor(lane.width / 2))
        : Math.min(this.#limits.lane_max, lane.width + 1);
    };
  }

  #lane(merchant_id: string, destination: string): Lane {
    const key = laneOf(merchant_id, destination);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    this.#forgetIdleLanes();
    const lane = { in_flight: 0, width: this.#limits.lane_start, slow: false };
    this.#lanes.set(key, lane);
    return lane;
  }

  #forgetIdleLanes(): void {
    if (this.#lanes.size < maxLanes) return;
    for (const [key, lane] of this.#lanes) if (lane.in_flight === 0) this.#lanes.delete(key);
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

const laneOf = (merchant_id: string, destination: string): string => `${merchant_id} ${destination}`;

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
