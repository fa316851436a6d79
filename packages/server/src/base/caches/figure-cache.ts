/** Keeps figures that are costly to read. */
import { AppError } from '../errors.ts';
import { type Clock, hours, minutes } from '../time/clock.ts';
import { inTime } from '../time/in-time.ts';
import type { Logger } from '../log.ts';

/** Figures, and when their reading began. */
export interface Dated<T> {
  as_of: Date;
  figures: T;
}

interface Reading<T> {
  /** When it began; until then, when it was first asked for. */
  as_of: Date;
  answer: Promise<Dated<T>>;
  /** Reads, unless that has begun. */
  begin: () => Promise<Dated<T>>;
  hasBegun: boolean;
  /** How long it took; null while it is under way. */
  took_ms: number | null;
  isRenewed: boolean;
}

/** How long figures are answered again without another reading. */
const fresh_ms = minutes(1);
/** How long figures that take long to read are answered while others are read. */
const usable_ms = hours(1);
/** A reading that took longer is not waited for again. */
const slow_ms = 3_000;
/** How long a call waits for a reading. Then the reading continues, and a later call finds its result. */
const patience_ms = 8_000;

/**
 * Creates a reader that answers the figures of a key for a minute. After that they are read again before the answer, or,
 * if that takes long, after the answer: then the figures are up to an hour old (D-502), or ahead if the clock was set back
 * meanwhile. A failed reading is not kept.
 * Readings after an answer run one after the other. So do the readings of one asker (D-610).
 *
 * The reader throws AppError `service_unavailable` where no figures come within eight seconds (H-25).
 *
 * @param most maximum number of results in memory
 * @param tick gives milliseconds, to see how long a reading takes
 * @returns a reader; `whose` names the asker: each asker has at most one running reading
 */
export function createFigureCache<T>(
  { clock, log }: { clock: Clock; log: Logger },
  most: number,
  tick = (): number => performance.now(),
): (key: string, read: () => Promise<T>, whose?: string) => Promise<Dated<T>> {
  const known = new Map<string, Reading<T>>();
  let renewals = Promise.resolve();
  const inTurn = createTurns(tick);

  function readingOf(key: string, read: () => Promise<T>): Reading<T> {
    let settle: (figures: Promise<Dated<T>>) => void = () => undefined;
    const answer = new Promise<Dated<T>>((resolve) => (settle = resolve));
    const dated = async (): Promise<Dated<T>> => {
      const began = tick();
      const as_of = clock.now();
      reading.as_of = as_of;
      const figures = await read();
      reading.took_ms = tick() - began;
      return { as_of, figures };
    };
    const reading: Reading<T> = {
      as_of: clock.now(),
      answer,
      begin: () => {
        if (!reading.hasBegun) settle(dated());
        reading.hasBegun = true;
        return answer;
      },
      hasBegun: false,
      took_ms: null,
      isRenewed: false,
    };
    answer.catch(() => {
      if (known.get(key) === reading) known.delete(key);
    });
    return reading;
  }

  /** Each asker of a reading that has not begun waits in a separate queue: the first turn begins the reading. */
  function answerOf(reading: Reading<T>, whose?: string): Promise<Dated<T>> {
    if (reading.hasBegun) return patiently(reading.answer);
    if (whose === undefined) return patiently(reading.begin());
    return patiently(Promise.race([reading.answer, inTurn(whose, reading.begin)]));
  }

  function keep(key: string, reading: Reading<T>): void {
    known.delete(key);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= most) known.delete(oldest);
    known.set(key, reading);
  }

  function renew(key: string, last: Reading<T>, read: () => Promise<T>): void {
    if (last.isRenewed) return;
    last.isRenewed = true;
    renewals = renewals.then(async () => {
      try {
        const next = readingOf(key, read);
        await next.begin();
        keep(key, next);
      } catch (err) {
        last.isRenewed = false;
        log.warn({ err }, 'figures could not be read again: the next request tries once more');
      }
    });
  }

  return (key, read, whose) => {
    const last = known.get(key);
    const age = last === undefined ? Infinity : Math.abs(clock.now().getTime() - last.as_of.getTime());
    if (last !== undefined && age < fresh_ms) return answerOf(last, whose);
    if (last !== undefined && age < usable_ms && (last.took_ms ?? Infinity) > slow_ms) {
      if (last.took_ms !== null) renew(key, last, read);
      return answerOf(last, whose);
    }
    const next = readingOf(key, read);
    keep(key, next);
    return answerOf(next, whose);
  };
}

/** Runs the readings of one asker one after the other. */
function createTurns(tick: () => number): <T>(whose: string, read: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>();
  return (whose, read) => {
    const asked = tick();
    const turn = (lasts.get(whose) ?? Promise.resolve()).then(() => {
      // The call has been refused meanwhile. Its reading would only keep the next ones waiting.
      if (tick() - asked >= patience_ms) throw late();
      return read();
    });
    const over = turn
      .catch(() => undefined)
      .then(() => {
        if (lasts.get(whose) === over) lasts.delete(whose);
      });
    lasts.set(whose, over);
    return turn;
  };
}

const late = (): AppError => new AppError('service_unavailable', { retry_after_s: 5 });

const patiently = <T>(answer: Promise<T>): Promise<T> =>
  inTime(answer, patience_ms, () => {
    throw late();
  });
