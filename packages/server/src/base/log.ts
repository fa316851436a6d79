/** Structured logs without secrets, which never hold up the service. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { LogDrain } from './logging/drain.ts';
import { openLogFile, standardDrain } from './logging/open-drain.ts';
import { reportLater, withoutRepeats } from './logging/fold-repeats.ts';
import { RepeatCounter } from './logging/repeats.ts';
import { isTracing, traceMembers } from './tracing/tracing.ts';

export type { Logger };

/** Members whose values are removed from log lines, at every level of nesting. */
const secretMembers = [
  'authorization',
  'cookie',
  'password',
  'client_secret',
  'notify_secret',
  'secret',
  'secret_key',
  'webhook_secret',
  'token',
  'access_token',
  'checkout_url',
];

/** A destination that appends log lines to a file, which only its owner can read. */
export const logFile = (path: string): LogDrain => openLogFile(path);

/** Prints a line for a person to standard output, without waiting for a reader that is slow. */
export const printLine = (line: string): void => {
  standardDrain().write(`${line}\n`);
};

/** How many lines of a log did not reach its destination. */
export interface LogLosses {
  /** Lines that found no room, because the destination took none. */
  readonly dropped: number;
  /** Lines that were counted only, because they repeated others. */
  readonly repeated: number;
}

/** The parts that a logger of `createLog` uses. */
interface Behind {
  drain: LogDrain | null;
  repeats: RepeatCounter;
}

const behind = new WeakMap<Logger, Behind>();

/** The losses of a logger of `createLog`. */
export function readLosses(log: Logger): LogLosses {
  const { drain, repeats } = behind.get(log) ?? {};
  return { dropped: drain?.dropped ?? 0, repeated: repeats?.total ?? 0 };
}

/**
 * Creates a logger that writes one JSON object per line to standard output, or to `stream`. Errors that repeat are
 * counted, and so are requests that fail the same way; a line tells how many.
 *
 * @param level a level of pino; `silent` turns logging off
 * @param base members of every line
 */
export function createLog(
  level: string,
  stream: DestinationStream = standardDrain(),
  base: Record<string, string> | null = null,
): Logger {
  const repeats = new RepeatCounter();
  const now = (): number => performance.now();
  const log: Logger = pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Only if traces are on before the log is made, so that it costs nothing otherwise.
      ...(isTracing() ? { mixin: () => traceMembers() } : {}),
      formatters: { level: (label: string) => ({ level: label }) },
      redact: {
        paths: [
          ...secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["${name}"]`]),
          // What a driver sent: with AUTH to Redis, the password (D-1207).
          'err.command.args',
        ],
        censor: '[redacted]',
      },
      hooks: {
        logMethod(args, method, level) {
          // The last lines of a process need room even where a slow reader has left none.
          if (level >= fatal && stream instanceof LogDrain) stream.flushSync();
          const line = withoutRepeats(args, repeats, now());
          if (line !== null) Reflect.apply(method, this, line);
          else
            reportLater(repeats, now, () => {
              reportRepeats(log, repeats);
            });
        },
      },
    },
    stream,
  );
  behind.set(log, { drain: stream instanceof LogDrain ? stream : null, repeats });
  return log;
}

/** pino's level. */
const fatal = 60;

/** How many kinds of repeated lines a report names. */
const reportedKinds = 20;

function reportRepeats(log: Logger, repeats: RepeatCounter): void {
  const kinds = repeats.takeReport();
  if (kinds.length === 0) return;
  const repeated = kinds.reduce((sum, { times }) => sum + times, 0);
  log.warn(
    { repeated, kinds: kinds.slice(0, reportedKinds) },
    'log lines that repeat others were counted only',
  );
}

/** Writes what waits. For the end of a process, because it may wait half a second for a slow reader. */
function flushLog(log: Logger): void {
  const { drain, repeats } = behind.get(log) ?? {};
  if (repeats !== undefined) reportRepeats(log, repeats);
  drain?.flushSync();
}

/** Logs the error that ends the process, and writes the rest of the log at its end, whatever the reason. */
export function keepLogAtEnd(log: Logger): void {
  process.on('uncaughtExceptionMonitor', (err) => {
    log.fatal({ err }, 'an unexpected error ends this process');
    flushLog(log);
  });
  process.on('exit', () => {
    flushLog(log);
  });
}
