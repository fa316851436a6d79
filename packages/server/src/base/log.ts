import { pino, type Logger } from 'pino';

export type { Logger };

/** Members that never reach a log line, wherever they stand. */
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

/** Log lines go into a file, appended as they come. */
export const logFile = (path: string): NodeJS.WritableStream =>
  pino.destination({ dest: path, mkdir: true }) as unknown as NodeJS.WritableStream;

/**
 * Structured logs, one JSON object a line on standard output, or on `stream`.
 *
 * @param level pino's levels; `silent` for none
 */
export function createLog(level: string, stream?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["${name}"]`]),
      censor: '[redacted]',
    },
  };
  return stream === undefined ? pino(options) : pino(options, stream);
}
