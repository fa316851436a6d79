import type pg from 'pg';
import type { Random } from '../support/random.ts';

/** What ends an actor whose process "crashed": it gets no further, whatever it was about to do. */
export class Crash extends Error {
  override name = 'Crash';
}

/** One course of action, as a process would run it; it goes on only when the scheduler lets it. */
export interface Actor {
  readonly name: string;
  /** Waits for leave to send what comes next. Statements that are sent together share one leave. */
  turn(): Promise<void>;
  /** Tells of work that is under way outside: a statement, a request to the provider. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

interface Course extends Actor {
  gate: { open(): void; break(): void; leave: Promise<void> } | null;
  under_way: number;
  crashed: boolean;
  done: boolean;
}

/**
 * Runs several actors against one database, one at a time and statement by statement, in an order that chance
 * decides: the same seed gives the same interleaving. Whoever waits for a lock is left waiting while others go on;
 * the database itself is asked who does.
 */
export class Scheduler {
  readonly #random: Random;
  readonly #watch: pg.Client;
  readonly #courses = new Set<Course>();
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

  /** Begins a course of action; it does nothing before it gets leave. */
  begin(name: string, work: (actor: Actor) => Promise<void>, ended: (error: unknown) => void): void {
    const wake = (): void => {
      this.#wake();
    };
    const course: Course = {
      name,
      gate: null,
      under_way: 0,
      crashed: false,
      done: false,
      turn() {
        if (course.crashed) return Promise.reject(new Crash(name));
        course.gate ??= gate();
        wake();
        return course.gate.leave;
      },
      async during(outside) {
        course.under_way++;
        try {
          return await outside();
        } finally {
          course.under_way--;
        }
      },
    };
    this.#courses.add(course);
    void course
      .turn()
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

  /** Lets one actor go on by one step and waits until it can be left alone. False where nobody is left. */
  async step(): Promise<boolean> {
    for (;;) {
      await this.#settled();
      if (this.#courses.size === 0) return false;
      const [first, ...others] = [...this.#courses].filter(isParked);
      if (first !== undefined) {
        const course = this.#random.pick([first, ...others]);
        const { gate } = course;
        course.gate = null;
        gate?.open();
        await this.#settled();
        return true;
      }
      // All wait for locks: the database will find the deadlock.
      await this.#changed(20);
    }
  }

  /** Ends one actor where it stands, as the death of its process would: what it had not committed is undone. */
  async crash(): Promise<string | null> {
    await this.#settled();
    const [first, ...others] = [...this.#courses].filter(isParked);
    if (first === undefined) return null;
    const course = this.#random.pick([first, ...others]);
    const { gate } = course;
    course.crashed = true;
    course.gate = null;
    gate?.break();
    await this.#settled();
    return course.name;
  }

  /** Waits until every actor waits for leave, has ended, or waits for a lock that another holds. */
  async #settled(): Promise<void> {
    for (;;) {
      const busy = (): number => [...this.#courses].filter((course) => !isParked(course)).length;
      if (busy() === 0) return;
      await this.#changed(3);
      const before = busy();
      if (before === 0) return;
      if ((await this.#waiting()) === before && busy() === before) return;
    }
  }

  #changed(most_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, most_ms);
      this.#wake = () => {
        clearTimeout(timer);
        // What follows from the change without waiting comes first.
        setImmediate(resolve);
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

const isParked = (course: Course): boolean => course.gate !== null && course.under_way === 0;

function gate(): NonNullable<Course['gate']> {
  let open: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const leave = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  leave.catch(() => undefined);
  return {
    leave,
    open,
    break: () => {
      fail(new Crash());
    },
  };
}
