import { setImmediate as continued } from 'node:timers/promises';
import type pg from 'pg';
import type { Random } from '../support/run/random.ts';

/** Ends an actor whose process crashed: it stops before its next step. */
export class Crash extends Error {
  override name = 'Crash';
}

/** One course of action, as a process would run it; it goes on only when the scheduler lets it. */
export interface Actor {
  readonly name: string;
  /** Whether its process has died: nothing it does from then on counts. */
  readonly crashed: boolean;
  /**
   * Takes the next place among what this actor does at once: what was called first goes on first.
   *
   * @returns a function that waits for permission to send the next statement. Statements of one message get permission
   *   one by one
   */
  place(): () => Promise<void>;
  /** How often anybody got permission so far. */
  turns(): number;
  /**
   * Reports work that is under way outside: a statement, a request to the provider.
   *
   * @param counts 1; or 2 for what gives up a lock at once, so that it is never taken for one that waits
   */
  during<T>(work: () => Promise<T>, counts?: 1 | 2): Promise<T>;
  /** Reports that such work waits for permission, or no longer does. */
  rest(rests: boolean): void;
}

interface Course extends Actor {
  /** The steps that wait for permission, by their places; those of one place in the order they came. */
  gates: Gate[];
  under_way: number;
  crashed: boolean;
  done: boolean;
}

interface Gate {
  place: number;
  leave: Promise<void>;
  open(): void;
  break(): void;
}

/**
 * Runs several actors against one database, one at a time and statement by statement, in an order that chance decides.
 * While an actor waits for a lock, the others go on; the database itself reports who waits.
 *
 * The same seed gives the same interleaving, with one exception: if two actors wait for a row that a third changes,
 * PostgreSQL decides which of them goes on first.
 */
export class Scheduler {
  readonly #random: Random;
  readonly #watch: pg.Client;
  readonly #courses = new Set<Course>();
  #turns = 0;
  #wake: () => void = () => undefined;

  /** @param watch a connection of its own, to ask who waits for a lock */
  constructor(random: Random, watch: pg.Client) {
    this.#random = random;
    this.#watch = watch;
  }

  /** How many actors are under way. */
  get size(): number {
    return this.#courses.size;
  }

  /** The actors under way, for finding out why a run hangs. */
  describe(): string {
    const words = [...this.#courses].map(
      ({ name, gates, under_way }) => `${name} (${gates.length} to send, ${under_way} under way)`,
    );
    return words.length === 0 ? 'nobody' : words.join(', ');
  }

  /** Begins a course of action; it does nothing before it gets leave. */
  begin(name: string, work: (actor: Actor) => Promise<void>, ended: (error: unknown) => void): void {
    const wake = (): void => {
      this.#wake();
    };
    let places = 0;
    const course: Course = {
      name,
      gates: [],
      under_way: 0,
      crashed: false,
      done: false,
      place() {
        const place = places++;
        return () => {
          if (course.crashed) return Promise.reject(new Crash(name));
          const gate = createGate(place);
          const behind = course.gates.findIndex((other) => other.place > place);
          course.gates.splice(behind === -1 ? course.gates.length : behind, 0, gate);
          wake();
          return gate.leave;
        };
      },
      turns: () => this.#turns,
      async during(outside, counts = 1) {
        course.under_way += counts;
        try {
          return await outside();
        } finally {
          course.under_way -= counts;
          wake();
        }
      },
      rest(rests) {
        course.under_way += rests ? -1 : 1;
        if (rests) wake();
      },
    };
    this.#courses.add(course);
    void course
      .place()()
      .then(() => work(course))
      .catch((error: unknown) => {
        if (!course.crashed) ended(error);
      })
      .finally(() => {
        course.done = true;
        this.#courses.delete(course);
        wake();
      });
  }

  /** Lets one actor make one step and waits until it finishes or waits. False if no actor is left. */
  async step(): Promise<boolean> {
    for (;;) {
      await this.#settled();
      if (this.#courses.size === 0) return false;
      const courses = [...this.#courses];
      // One of an actor's transactions may wait for a lock, while another holds a lock that its owner waits for.
      const course =
        this.#anyOf(courses.filter(isParked)) ?? this.#anyOf(courses.filter(({ gates }) => gates.length > 0));
      if (course !== null) {
        this.#turns++;
        // The first place of an actor: in the order in which answers came, a busy machine would decide.
        course.gates.shift()?.open();
        await continued();
        await this.#settled();
        return true;
      }
      // All wait for locks: the database will find the deadlock.
      await this.#changed(20);
    }
  }

  /** Ends one actor at its current step, as a crash would: uncommitted work is undone. */
  async crash(): Promise<string | null> {
    await this.#settled();
    const course = this.#anyOf([...this.#courses].filter(isParked));
    if (course === null) return null;
    course.crashed = true;
    for (const gate of course.gates.splice(0)) gate.break();
    await this.#settled();
    return course.name;
  }

  #anyOf<T>([first, ...others]: readonly T[]): T | null {
    return first === undefined ? null : this.#random.pick([first, ...others]);
  }

  /** Waits until every actor waits for leave, has ended, or waits for a lock that another holds. */
  async #settled(): Promise<void> {
    for (let most_ms = 3; ; most_ms *= 2) {
      const before = this.#busy();
      if (before === 0) return;
      if (await this.#changed(most_ms)) continue;
      if ((await this.#waiting()) === before && this.#busy() === before) return;
    }
  }

  /** How much is under way: an actor may wait for several locks, in as many transactions. */
  #busy(): number {
    return [...this.#courses]
      .filter((course) => !isParked(course))
      .reduce((sum, { under_way }) => sum + Math.max(1, under_way), 0);
  }

  /** Waits for a change, for so long at most. Returns whether there was one. */
  #changed(most_ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, most_ms, false);
      this.#wake = () => {
        clearTimeout(timer);
        // Continuations that need no wait run first.
        setImmediate(resolve, true);
      };
    });
  }

  async #waiting(): Promise<number> {
    const { rows } = await this.#watch.query<{ waiting: number }>({
      name: 'waiting',
      text: `SELECT count(DISTINCT l.pid)::int AS waiting FROM pg_locks l
        JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database() WHERE NOT l.granted`,
    });
    return rows[0]?.waiting ?? 0;
  }
}

const isParked = (course: Course): boolean => course.gates.length > 0 && course.under_way === 0;

function createGate(place: number): Gate {
  let open: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const leave = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  leave.catch(() => undefined);
  return {
    place,
    leave,
    open,
    break: () => {
      fail(new Crash());
    },
  };
}
