/** Structured logs without secrets. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino, type Logger } from 'pino';
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

/** A stream that appends log lines to a file, which only its owner can read: a log names people and addresses. */
export function logFile(path: string): NodeJS.WritableStream {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
  // An earlier version may have created it for everybody.
  chmodSync(path, 0o600);
  return pino.destination(path) as unknown as NodeJS.WritableStream;
}

/**
 * Creates a logger that writes one JSON object per line to standard output, or to `stream`.
 *
 * @param level a level of pino; `silent` turns logging off
 */
export function createLog(level: string, stream?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Only if traces are on before the log is made, so that it costs nothing otherwise.
    ...(isTracing() ? { mixin: () => traceMembers() } : {}),
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["${name}"]`]),
      censor: '[redacted]',
    },
  };
  return stream === undefined ? pino(options) : pino(options, stream);
}
