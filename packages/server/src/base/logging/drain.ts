/** Writes log lines to a file, a pipe or a socket, without ever waiting for it. */

import { pino } from 'pino';

/** Where the bytes go. */
export interface Sink {
  /**
   * Writes some of the bytes in a thread of the pool and tells how many. Called again only when the last call is done.
   * Null where `writeSync` never waits, and is used always.
   */
  readonly write: ((bytes: Buffer, done: Done) => void) | null;
  /** @throws with the code EAGAIN if the sink is full */
  writeSync(bytes: Buffer): number;
  /** Whether a write may block without limit, because the sink has no mode that does not block. */
  readonly may_wait: boolean;
}

export type Done = (error: NodeJS.ErrnoException | null, written: number) => void;

export interface DrainOptions {
  /** How much may wait for the sink. What comes then is dropped and counted. */
  max_bytes?: number;
  /** The time as a member of a line, as pino writes it. */
  time?: () => string;
  /** Waits; the wait keeps no process alive. */
  later?: (run: () => void, ms: number) => void;
  /** Runs after what runs now, so that the lines of one turn are one write. */
  soon?: (run: () => void) => void;
}

/** A little more than what 5 seconds of 2,000 requests a second write. */
const usualBytes = 4 * 1024 * 1024;
/** Bytes of one write. */
const batchBytes = 1024 * 1024;
/** The reader of a full pipe is slow: it gets time. */
const busyPause_ms = 5;
/** A full disk or a closed pipe: it is tried again, in case that it recovers. */
const failedPause_ms = 1_000;
/** How long the end of a process waits for a slow reader. */
const lastChance_ms = 500;

const lossMessage = 'log lines were dropped, because the log could not be written';

const defer = (run: () => void, ms: number): void => void setTimeout(run, ms).unref();

/**
 * A destination of log lines.
 *
 * Invariants: `write` returns at once and never throws. Lines are written whole and in their order. When lines were
 * dropped, one line in their place tells how many, as soon as there is room.
 */
export class LogDrain {
  readonly #sink: Sink;
  readonly #max_bytes: number;
  readonly #time: () => string;
  readonly #later: (run: () => void, ms: number) => void;
  readonly #soon: (run: () => void) => void;
  #lines: string[] = [];
  /** Bytes of all lines that are not written yet. */
  #waiting = 0;
  /** The rest of the lines that were taken last. Bytes that a thread is writing are not in it. */
  #batch: Buffer = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'pausing' = 'idle';
  #cause: string | null = null;
  /** Lines that were dropped since the last report of dropped lines. */
  #untold = 0;
  #dropped = 0;
  /** The rest of the time that a full sink gets at the end. */
  #chance_ms = lastChance_ms;

  constructor(
    sink: Sink,
    {
      max_bytes = usualBytes,
      time = pino.stdTimeFunctions.isoTime,
      later = defer,
      soon = setImmediate,
    }: DrainOptions = {},
  ) {
    this.#sink = sink;
    this.#max_bytes = max_bytes;
    this.#time = time;
    this.#later = later;
    this.#soon = soon;
  }

  /** The number of lines that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    const size = Buffer.byteLength(line);
    // After a loss, half of the room must be free again: else the log would tell of a loss at every other line.
    const limit = this.#untold > 0 ? this.#max_bytes / 2 : this.#max_bytes;
    if (this.#waiting + size > limit) {
      this.#dropped++;
      this.#untold++;
      return;
    }
    this.#tellOfLoss();
    this.#push(line, size);
    this.#pump();
  }

  /** Writes what waits, at the end of a process. A sink that is full gets half a second; one that fails gets none. */
  flushSync(): void {
    // Such a sink that has not answered yet might never answer. What a thread writes to another is written at the end too.
    if (this.#sink.may_wait && this.#state === 'writing') return;
    this.#tellOfLoss();
    while (this.#fill()) {
      try {
        this.#written(this.#sink.writeSync(this.#batch));
        this.#chance_ms = lastChance_ms;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || this.#chance_ms <= 0) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPause_ms);
        this.#chance_ms -= busyPause_ms;
      }
    }
  }

  #push(line: string, size: number): void {
    this.#lines.push(line);
    this.#waiting += size;
  }

  #tellOfLoss(): void {
    if (this.#untold === 0) return;
    const cause = this.#cause ?? 'slow';
    const line = `{"level":"warn"${this.#time()},"dropped":${this.#untold},"cause":"${cause}","msg":"${lossMessage}"}\n`;
    this.#untold = 0;
    this.#cause = null;
    this.#push(line, line.length);
  }

  /** Writes until nothing waits, or the sink accepts no more. */
  #pump(): void {
    if (this.#state !== 'idle' || !this.#hasMore()) return;
    this.#state = 'writing';
    const sink = this.#sink;
    if (sink.write === null) {
      this.#soon(() => {
        this.#state = 'idle';
        this.#writeNow();
      });
      return;
    }
    const batch = this.#batch;
    this.#batch = Buffer.alloc(0);
    sink.write(batch, (error, written) => {
      this.#state = 'idle';
      this.#waiting -= written;
      const rest = batch.subarray(written);
      if (rest.length > 0) this.#batch = Buffer.concat([rest, this.#batch]);
      if (error === null) this.#pump();
      else this.#pauseAfter(error);
    });
  }

  /** Writes what waits to a sink that answers at once. */
  #writeNow(): void {
    try {
      while (this.#hasMore()) this.#written(this.#sink.writeSync(this.#batch));
    } catch (error) {
      if (this.#state === 'idle') this.#pauseAfter(error as NodeJS.ErrnoException);
    }
  }

  #pauseAfter({ code }: NodeJS.ErrnoException): void {
    this.#cause = code ?? 'unknown';
    this.#state = 'pausing';
    this.#later(
      () => {
        this.#state = 'idle';
        this.#pump();
      },
      code === 'EAGAIN' ? busyPause_ms : failedPause_ms,
    );
  }

  /** Takes the next lines to write, at last the one that tells of a loss. */
  #hasMore(): boolean {
    if (this.#fill()) return true;
    this.#tellOfLoss();
    return this.#fill();
  }

  /** Takes the next lines to write. False if none wait. */
  #fill(): boolean {
    if (this.#batch.length > 0) return true;
    if (this.#lines.length === 0) return false;
    let size = 0;
    let count = 0;
    while (count < this.#lines.length && size < batchBytes) size += this.#lines[count++]?.length ?? 0;
    this.#batch = Buffer.from(this.#lines.splice(0, count).join(''));
    return true;
  }

  #written(bytes: number): void {
    this.#batch = this.#batch.subarray(bytes);
    this.#waiting -= bytes;
  }
}
