/** Lets background work rest while nothing happens on the platform (D-420, D-421, docs/adr/0054-a-platform-at-rest.md). */
import { type Database, sql } from '../base/pg/index.ts';
import { minutes, type OffsetClock, seconds } from '../base/time/clock.ts';

/** What the processes of a platform tell each other: that something happens, or when the next work is due. */
interface Notice {
  from: string;
  /** A process has looked: when the next work is due, null if nothing waits. Absent: something happens. */
  next_ms?: number | null;
}

export interface Rest {
  /**
   * Something was written, so there may be work: for a while all loops of all processes look for it at their usual
   * pace.
   */
  stir(): void;
  /**
   * Whether a loop need not look for work, because nothing has happened since its last pass, which found nothing.
   *
   * @param began_ms when that pass began, by the monotonic clock
   * @param longest_ms after this time it looks all the same
   */
  allows(began_ms: number, longest_ms?: number): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface RestDeps {
  db: Pick<Database, 'query' | 'listen' | 'hears'>;
  clock: Pick<OffsetClock, 'now' | 'offset_ms'>;
  /** The name of this process among all. */
  process_id: string;
  /** When the next work of any kind is due, or was. Null if this process does no background work. */
  nextDue: (() => Promise<Date | null>) | null;
  /** The number of shards of the database: each look asks all of them. */
  countShards: () => Promise<number>;
  /** How long after something has happened the loops continue at their usual pace. */
  awake_ms?: number;
}

const channel = 'paydesk_rest';
const tick_ms = 250;
/** Time between two looks. Processes that hear notifications share one; one that hears none looks by itself. */
const look_ms = { heard: seconds(10), unheard: seconds(1) };
/** The least time for each shard of the database, so that many shards are not asked more often in total. */
const lookOfShard_ms = { heard: seconds(1), unheard: seconds(0.5) };
/** How long a loop rests at most: then it finds work that no look knows of. With many shards it is longer. */
const longestRest_ms = minutes(10);
const usualShards = 32;

/**
 * At rest, one process of the platform asks every few seconds when the next work is due, and tells the others. Nothing
 * depends on the notifications: the next look finds what they miss. Nothing depends on the process that looks: if it
 * dies, another looks a little later.
 *
 * Invariant: a loop rests only if its last pass found nothing and began after everything that this process knows of, and
 * a look has found since then that nothing is due.
 */
export class PlatformRest implements Rest {
  readonly #deps: RestDeps;
  readonly #awake_ms: number;
  /** From 0 to 1. Processes look one after the other: the first look makes the looks of the others unnecessary. */
  readonly #turn: number;
  #stirred_ms = -Infinity;
  /** When a process last told all others that something happens. */
  #told_ms = -Infinity;
  /** When a process last looked and found nothing due. */
  #looked_ms = -Infinity;
  #look_due_ms = -Infinity;
  /** When the next work is due, by the service's clock. */
  #next_ms: number | null = null;
  #offset_ms: number;
  #shards: number | null = null;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => Promise<void>) | undefined;

  constructor(deps: RestDeps) {
    this.#deps = deps;
    this.#awake_ms = deps.awake_ms ?? seconds(10);
    this.#turn = Number.parseInt(deps.process_id.slice(0, 4), 16) / 0x10000;
    this.#offset_ms = deps.clock.offset_ms;
  }

  async start(): Promise<void> {
    this.#wakeUp();
    this.#stopListening = await this.#deps.db.listen(channel, (payload) => {
      this.#hear(payload);
    });
    this.#timer = setInterval(() => {
      this.#tick();
    }, tick_ms);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#stopListening?.();
  }

  stir(): void {
    this.#wakeUp();
    if (this.#stirred_ms - this.#told_ms < this.#awake_ms / 2) return;
    this.#told_ms = this.#stirred_ms;
    this.#tell({});
  }

  allows(began_ms: number, longest_ms = this.#longestRest_ms()): boolean {
    const now_ms = performance.now();
    return (
      this.#isQuiet() &&
      began_ms >= this.#stirred_ms &&
      now_ms - this.#looked_ms < 3 * this.#lookEvery_ms() &&
      now_ms - began_ms < longest_ms
    );
  }

  #isQuiet(): boolean {
    return performance.now() - this.#stirred_ms >= this.#awake_ms;
  }

  #longestRest_ms(): number {
    return longestRest_ms * Math.max(1, (this.#shards ?? 1) / usualShards);
  }

  #lookEvery_ms(): number {
    const how = this.#deps.db.hears() ? 'heard' : 'unheard';
    return Math.max(look_ms[how], (this.#shards ?? 1) * lookOfShard_ms[how]);
  }

  #wakeUp(): void {
    this.#stirred_ms = performance.now();
    this.#looked_ms = -Infinity;
    this.#next_ms = null;
    this.#look_due_ms = this.#stirred_ms + this.#awake_ms + this.#turn * seconds(1);
  }

  /** A notice that is lost costs time until the next look, and nothing else. */
  #tell(notice: Omit<Notice, 'from'>): void {
    const payload = JSON.stringify({ from: this.#deps.process_id, ...notice });
    void this.#deps.db.query(sql`SELECT pg_notify(${channel}, ${payload})`).catch(() => undefined);
  }

  #hear(payload: string): void {
    // An empty message: the connection is new, and notices may have been missed.
    const notice = payload === '' ? null : (JSON.parse(payload) as Notice);
    if (notice?.from === this.#deps.process_id) return;
    if (notice?.next_ms === undefined) {
      this.#wakeUp();
      if (notice !== null) this.#told_ms = this.#stirred_ms;
    } else if (this.#isQuiet()) {
      this.#noteLook(notice.next_ms);
      // This process looks only if the one that has looked stops looking.
      this.#look_due_ms += (0.25 + this.#turn / 4) * this.#lookEvery_ms();
    }
  }

  #noteLook(next_ms: number | null): void {
    this.#looked_ms = performance.now();
    this.#next_ms = next_ms;
    this.#look_due_ms = this.#looked_ms + this.#lookEvery_ms();
  }

  #tick(): void {
    const { clock, nextDue, db } = this.#deps;
    if (clock.offset_ms !== this.#offset_ms) {
      this.#offset_ms = clock.offset_ms;
      this.#wakeUp();
    }
    if (this.#next_ms !== null && clock.now().getTime() >= this.#next_ms) this.stir();
    const now_ms = performance.now();
    const isUnheard = !db.hears() && now_ms - this.#looked_ms >= this.#lookEvery_ms();
    const isLookDue = this.#isQuiet() && (now_ms >= this.#look_due_ms || isUnheard);
    if (nextDue === null || this.#looking !== null || !isLookDue) return;
    this.#looking = this.#look(nextDue).finally(() => {
      this.#looking = null;
    });
  }

  async #look(ask: () => Promise<Date | null>): Promise<void> {
    const { db, clock, countShards } = this.#deps;
    const began_ms = performance.now();
    try {
      this.#shards ??= await countShards();
      const next = await ask();
      if (this.#stirred_ms >= began_ms) return;
      if (next !== null && next <= clock.now()) {
        this.stir();
        return;
      }
      const next_ms = next?.getTime() ?? null;
      this.#noteLook(next_ms);
      if (db.hears()) this.#tell({ next_ms });
    } catch {
      // Loops do not rest for long without a look, and their passes tell of a database that fails.
      this.#look_due_ms = performance.now() + look_ms.unheard;
    }
  }
}
