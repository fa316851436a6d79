/** Reads a time that a person gives to a command. */
import { isDay } from '../../base/input/instant.ts';
import { UsageError } from './command-errors.ts';

const unit_ms: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const stamp = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/i;

/**
 * A time with its zone (`2026-11-23T01:30:00Z`), a day in UTC (`2026-11-23`), or a while ago (`90m`, `26h`, `2d`).
 *
 * @throws UsageError if it is none of these
 */
export function readTime(option: string, text: string, now: Date): Date {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * (unit_ms[ago[2] ?? ''] ?? 0));
  const at = stamp.test(text) && isDay(text) ? new Date(text.replace(' ', 'T')) : new Date(NaN);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(
      `--${option} must be a time such as 2026-11-23T01:30:00Z, or a while ago such as 90m, 26h or 2d, not "${text}".`,
    );
  }
  return at;
}

/**
 * The time span of two options.
 *
 * @throws UsageError if a time is wrong, or if the end is not after the beginning
 */
export function readSpan(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  now: Date,
): { since: Date; until: Date } {
  if (since === undefined) throw new UsageError('--since is needed: the time to begin at.');
  const span = { since: readTime('since', since, now), until: now };
  if (until !== undefined && until !== 'now') span.until = readTime('until', until, now);
  if (span.until <= span.since) throw new UsageError('--since must be before --until.');
  return span;
}
