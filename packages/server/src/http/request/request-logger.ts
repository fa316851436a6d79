import type { FastifyBaseLogger } from 'fastify';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
type Line = [line: unknown, ...more: unknown[]];

/**
 * The logger of one request. Its lines contain the request id. The child logger is created at the first line, because
 * creating one is slow and most requests write only the access log (access-log.ts, D-192), which adds the id itself.
 */
export class RequestLogger implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger;
  readonly #binding: Parameters<FastifyBaseLogger['child']>;
  #bound: FastifyBaseLogger | undefined;

  constructor(log: FastifyBaseLogger, ...binding: Parameters<FastifyBaseLogger['child']>) {
    this.#log = log;
    this.#binding = binding;
  }

  get #own(): FastifyBaseLogger {
    return (this.#bound ??= this.#log.child(...this.#binding));
  }

  get level(): string {
    return (this.#bound ?? this.#log).level;
  }

  set level(level: string) {
    this.#own.level = level;
  }

  child(...options: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(...options);
  }

  #write(level: Level, line: Line): void {
    const own = this.#own;
    Reflect.apply(own[level], own, line);
  }

  fatal(...line: Line): void {
    this.#write('fatal', line);
  }

  error(...line: Line): void {
    this.#write('error', line);
  }

  warn(...line: Line): void {
    this.#write('warn', line);
  }

  info(...line: Line): void {
    this.#write('info', line);
  }

  debug(...line: Line): void {
    this.#write('debug', line);
  }

  trace(...line: Line): void {
    this.#write('trace', line);
  }

  silent(...line: Line): void {
    this.#write('silent', line);
  }
}
