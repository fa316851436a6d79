/**
 * Keeps processes running: starts them, replaces those that end, reloads them one after another, and stops them (D-400,
 * D-401).
 */
import type { Logger } from '../../base/log.ts';
import { minutes, seconds } from '../../base/time/clock.ts';

/** A process that was started. */
export interface Started {
  pid: number | undefined;
  /** Resolves when it serves. Never rejects: a process that fails before that ends. */
  ready: Promise<void>;
  /** Resolves with how it ended: an exit code, a signal, or why it could not be started. */
  ended: Promise<string>;
  /** Asks it to finish its work and end. `replaced`: another process serves already, so clients have time to move. */
  stop(replaced: boolean): void;
  kill(): void;
}

export interface SuperviseDeps {
  /** The names of the processes. The first is started alone: what keeps it from starting would stop all. */
  names: readonly string[];
  start: (name: string) => Started;
  log: Logger;
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
  /** Resolves after the time, or at once when the signal aborts. Never rejects. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A process is another one now, or none. */
  onChange?: (name: string, current: Started | null) => void;
}

/** Waits before a process is started again: the first, and the longest. */
const shortest_ms = 500;
const longest_ms = seconds(30);
/** A process that served this long begins with the shortest wait again. */
const healthy_ms = minutes(1);
/** How long a process may take to end (H-24), and one whose clients have time to move. */
const end_ms = seconds(10);
const replacedEnd_ms = seconds(16);
/** How long a new process may take until it serves. */
const ready_ms = minutes(2);

export const waitBefore = (failures: number): number => Math.min(longest_ms, shortest_ms * 2 ** failures);

interface Slot {
  name: string;
  current: Started | null;
  /** How often `current` has changed. */
  turn: number;
  failures: number;
}

/**
 * Invariants: a slot has at most one process that counts. Any other process of the slot is still starting, to replace
 * it, or is ending.
 */
export class Supervisor {
  readonly #deps: SuperviseDeps;
  readonly #slots: readonly Slot[];
  readonly #alive = new Set<Started>();
  readonly #stopping = new AbortController();
  #reloading: Promise<void> | null = null;
  #again = false;

  constructor(deps: SuperviseDeps) {
    this.#deps = deps;
    this.#slots = deps.names.map((name) => ({ name, current: null, turn: 0, failures: 0 }));
  }

  /** False where the first process ended before it served; it has said why. */
  async start(): Promise<boolean> {
    const [first, ...others] = this.#slots;
    if (first === undefined) return true;
    const one = this.#launch(first);
    if (!(await this.#serves(one))) {
      if (this.#isStopping()) return true;
      const why = await one.ended;
      // A process that ends by itself has said why.
      if (why !== 'exit code 1') {
        this.#deps.log.fatal({ name: first.name, why }, 'the first process did not start');
      }
      return false;
    }
    this.#follow(first, one);
    await Promise.all(
      others.map(async (slot) => {
        const other = this.#launch(slot);
        if (await this.#serves(other)) this.#follow(slot, other);
        else if (!this.#isStopping()) void this.#restart(slot, await other.ended);
      }),
    );
    return true;
  }

  /** Replaces all processes, one after another. Where a new one does not start, the old ones stay. */
  async reload(): Promise<void> {
    this.#again = this.#reloading !== null;
    this.#reloading ??= this.#reloadAsAsked().finally(() => (this.#reloading = null));
    await this.#reloading;
  }

  /** Ends all processes within ten seconds. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#alive].map((one) => this.#end(one, false)));
  }

  /** Ends all processes at once. */
  kill(): void {
    this.#stopping.abort();
    for (const one of this.#alive) one.kill();
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #setCurrent(slot: Slot, current: Started | null): void {
    slot.current = current;
    slot.turn++;
    this.#deps.onChange?.(slot.name, current);
    if (current !== null) this.#deps.log.info({ name: slot.name, pid: current.pid }, 'a process serves');
  }

  #launch({ name }: Slot): Started {
    const one = this.#deps.start(name);
    this.#alive.add(one);
    void one.ended.then(() => this.#alive.delete(one));
    return one;
  }

  /** Whether it serves. One that does not within its time is killed. */
  async #serves(one: Started): Promise<boolean> {
    const waited = new AbortController();
    const state = await Promise.race([
      one.ready.then(() => 'ready' as const),
      one.ended.then(() => 'ended' as const),
      this.#deps
        .pause(ready_ms, AbortSignal.any([waited.signal, this.#stopping.signal]))
        .then(() => 'late' as const),
    ]);
    waited.abort();
    if (state === 'late' && !this.#isStopping()) one.kill();
    return state === 'ready' && !this.#isStopping();
  }

  async #end(one: Started, replaced: boolean): Promise<void> {
    one.stop(replaced);
    const ended = new AbortController();
    const late = this.#deps.pause(replaced ? replacedEnd_ms : end_ms, ended.signal);
    await Promise.race([one.ended, late]);
    ended.abort();
    one.kill();
    await one.ended;
  }

  /** Gives a slot to a process that serves, and watches for its end. */
  #follow(slot: Slot, one: Started): void {
    this.#setCurrent(slot, one);
    const since = this.#deps.now();
    void one.ended.then(async (why) => {
      if (this.#isStopping() || slot.current !== one) return;
      if (this.#deps.now() - since >= healthy_ms) slot.failures = 0;
      this.#setCurrent(slot, null);
      await this.#restart(slot, why);
    });
  }

  /** Starts a process of a slot again and again, until it serves or another one does. */
  async #restart(slot: Slot, why: string): Promise<void> {
    const { turn } = slot;
    const restart_in_ms = waitBefore(slot.failures++);
    this.#deps.log.error({ name: slot.name, why, restart_in_ms }, 'a process ended and is started again');
    await this.#deps.pause(restart_in_ms, this.#stopping.signal);
    if (this.#isStopping() || slot.turn !== turn) return;
    const one = this.#launch(slot);
    const serves = await this.#serves(one);
    if (this.#isStopping()) return;
    if (!serves) await this.#restart(slot, await one.ended);
    else if (slot.turn === turn) this.#follow(slot, one);
    else await this.#end(one, true);
  }

  async #reloadAsAsked(): Promise<void> {
    do {
      this.#again = false;
      for (const slot of this.#slots) {
        if (this.#isStopping() || !(await this.#replace(slot))) return;
      }
      this.#deps.log.info('the reload is done');
    } while (this.#again as boolean);
  }

  /** Starts a new process in the slot; returns whether it serves in place of the old one. */
  async #replace(slot: Slot): Promise<boolean> {
    const { log } = this.#deps;
    const one = this.#launch(slot);
    const serves = await this.#serves(one);
    if (this.#isStopping()) return false;
    if (!serves) {
      const why = await one.ended;
      log.error(
        { name: slot.name, why },
        'the reload was given up, because a new process did not start: the others keep running unchanged',
      );
      return false;
    }
    const old = slot.current;
    slot.failures = 0;
    this.#follow(slot, one);
    if (old !== null) await this.#end(old, true);
    return true;
  }
}
