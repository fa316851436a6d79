/** Leaves out log lines that repeat, and reports how many there were. */
import type { Allowance, RepeatCounter } from './repeats.ts';

type Line = readonly unknown[];

/** In a minute: the first error of a kind with its stack, some without, then none. */
const errors: Allowance = { whole: 1, short: 5 };
/** In a minute: the access lines of failed requests. */
const failedRequests: Allowance = { whole: 100, short: 0 };

/**
 * The arguments to write for a log line; null if the line is only counted. Lines without an error are written
 * unchanged, except the access lines of requests that failed with 500 and above.
 */
export function withoutRepeats(line: Line, repeats: RepeatCounter, now_ms: number): Line | null {
  const [bindings, message] = line;
  if (typeof bindings !== 'object' || bindings === null) return line;
  if (message === 'request' && 'status' in bindings) {
    const { status } = bindings;
    if (typeof status !== 'number' || status < 500) return line;
    const verdict = repeats.judge(`request answered ${status}`, failedRequests, now_ms);
    return verdict === 'counted' ? null : line;
  }
  const error = bindings instanceof Error ? bindings : 'err' in bindings ? bindings.err : undefined;
  if (!(error instanceof Error)) return line;
  const text = typeof message === 'string' ? message : error.message;
  const verdict = repeats.judge(`${text}: ${kindOf(error)}`, errors, now_ms);
  if (verdict === 'counted') return null;
  if (verdict === 'whole') return line;
  const { name: type, code, message: words } = error as NodeJS.ErrnoException;
  // Not `err`, to which the logger would add a stack.
  const short = { error: { type, code, message: words } };
  if (bindings instanceof Error) return [short, text];
  return [{ ...bindings, err: undefined, ...short }, ...line.slice(1)];
}

/** The code of an error and where it arose. Without a code also its message, in which numbers vary. */
function kindOf(error: NodeJS.ErrnoException): string {
  const [, place = 'nowhere'] = /\n\s+at (?:async )?([^\s(]+)/.exec(error.stack ?? '') ?? [];
  const what = error.code ?? `${error.name} ${error.message.replaceAll(/\d+/g, '#').slice(0, 80)}`;
  return `${what} at ${place.split('/').at(-1) ?? place}`;
}

const waiting = new WeakSet<RepeatCounter>();

/** Reports once the lines have stopped to repeat, or after a minute. */
export function reportLater(repeats: RepeatCounter, now: () => number, report: () => void): void {
  if (waiting.has(repeats)) return;
  waiting.add(repeats);
  const due_ms = repeats.due_ms ?? now();
  setTimeout(
    () => {
      waiting.delete(repeats);
      if (repeats.due_ms === null) return;
      if (repeats.due_ms <= now()) report();
      else reportLater(repeats, now, report);
    },
    Math.max(1, due_ms - now()),
  ).unref();
}
