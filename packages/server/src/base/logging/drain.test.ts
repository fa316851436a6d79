import { beforeEach, describe, expect, test } from 'vitest';
import { type Done, LogDrain, type Sink } from './drain.ts';

/** A sink that answers as the test says. */
class FakeSink implements Sink {
  may_wait = false;
  taken = '';
  /** The error of the next writes; null: they succeed. */
  error: string | null = null;
  /** Bytes that one write takes. */
  takes = Infinity;
  #answer: (() => void) | null = null;

  write(bytes: Buffer, done: Done): void {
    expect(this.#answer).toBeNull();
    this.#answer = () => {
      if (this.error === null) done(null, this.#take(bytes));
      else done(Object.assign(new Error(this.error), { code: this.error }), 0);
    };
  }

  writeSync(bytes: Buffer): number {
    if (this.error !== null) throw Object.assign(new Error(this.error), { code: this.error });
    return this.#take(bytes);
  }

  /** Answers the write that waits, and those that follow it. */
  answer(): void {
    for (let answer = this.#answer; answer !== null; answer = this.#answer) {
      this.#answer = null;
      answer();
    }
  }

  #take(bytes: Buffer): number {
    const part = bytes.subarray(0, this.takes);
    this.taken += part.toString('latin1');
    return part.length;
  }
}

let sink: FakeSink;
let drain: LogDrain;
let pauses: { run: () => void; ms: number }[];

beforeEach(() => {
  sink = new FakeSink();
  pauses = [];
  drain = new LogDrain(sink, {
    max_bytes: 20,
    time: () => ',"time":"now"',
    later: (run, ms) => void pauses.push({ run, ms }),
  });
});

function endPause(): number {
  const [pause] = pauses.splice(0);
  pause?.run();
  sink.answer();
  return pause?.ms ?? 0;
}

const told = (count: number, cause: string): string =>
  `{"level":"warn","time":"now","dropped":${count},"cause":"${cause}","msg":"log lines were dropped, because the log could not be written"}\n`;

test('lines are written in their order, whatever a write takes', () => {
  sink.takes = 3;
  for (const line of ['one\n', 'two\n', 'three\n']) drain.write(line);
  sink.answer();
  expect(sink.taken).toBe('one\ntwo\nthree\n');
  expect(drain.dropped).toBe(0);
});

describe.each([
  ['ENOSPC', 'a full disk', 1_000],
  ['EPIPE', 'a closed pipe', 1_000],
  ['EAGAIN', 'a reader that does not read', 5],
])('%s: %s', (code, _, ms) => {
  test('lines wait, are dropped beyond the room, and are told of in their place', () => {
    sink.error = code;
    drain.write('first---\n');
    drain.write('second--\n');
    sink.answer();
    drain.write('dropped-\n');
    drain.write('dropped-\n');
    expect(endPause()).toBe(ms);
    expect(sink.taken).toBe('');
    expect(drain.dropped).toBe(2);

    sink.error = null;
    endPause();
    drain.write('third---\n');
    sink.answer();
    expect(sink.taken).toBe(`first---\nsecond--\n${told(2, code)}third---\n`);
    expect(drain.dropped).toBe(2);
  });

  test('a flush at the end gives up', () => {
    sink.error = code;
    drain.write('line\n');
    drain.flushSync();
    expect(sink.taken).toBe('');
  });
});

test('a line that was written in part is completed', () => {
  sink.takes = 3;
  drain.write('first\n');
  const write = sink.write.bind(sink);
  let calls = 0;
  sink.write = (bytes, done) => {
    if (calls++ === 0) sink.error = 'ENOSPC';
    write(bytes, done);
  };
  sink.answer();
  expect(sink.taken).toBe('fir');
  sink.error = null;
  endPause();
  expect(sink.taken).toBe('first\n');
});

test('a flush at the end writes what waits, and tells of what was dropped', () => {
  sink.error = 'ENOSPC';
  drain.write('first---\n');
  sink.answer();
  drain.write('second--\n');
  drain.write('dropped-\n');
  sink.error = null;
  drain.flushSync();
  expect(sink.taken).toBe(`first---\nsecond--\n${told(1, 'ENOSPC')}`);
});

test('a flush leaves alone what a thread is writing, and writes the rest', () => {
  drain.write('first\n');
  drain.write('second\n');
  drain.flushSync();
  expect(sink.taken).toBe('second\n');
  sink.answer();
  expect(sink.taken).toBe('second\nfirst\n');
  drain.write('third\n');
  sink.answer();
  expect(sink.taken).toBe('second\nfirst\nthird\n');
});

test('a sink that never waits is written once a turn, and after EAGAIN again', () => {
  const turns: (() => void)[] = [];
  const prompt = new FakeSink();
  drain = new LogDrain(
    { may_wait: false, write: null, writeSync: (bytes) => prompt.writeSync(bytes) },
    { later: (run, ms) => void pauses.push({ run, ms }), soon: (run) => void turns.push(run) },
  );
  drain.write('one\n');
  drain.write('two\n');
  expect(turns).toHaveLength(1);
  prompt.error = 'EAGAIN';
  turns.shift()?.();
  expect(prompt.taken).toBe('');
  prompt.error = null;
  pauses.shift()?.run();
  turns.shift()?.();
  expect(prompt.taken).toBe('one\ntwo\n');
});

test('a flush does not wait for a sink that may never return', () => {
  sink.may_wait = true;
  drain.write('first\n');
  drain.write('second\n');
  drain.flushSync();
  expect(sink.taken).toBe('');
});
