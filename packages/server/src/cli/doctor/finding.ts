/** What `paydesk doctor` finds, one line each. */
import { lossyPoolerWords, showsLossyPooler } from '../../base/pg/index.ts';
import { inTime } from '../../base/time/in-time.ts';

export interface Finding {
  /** `fail`: the service does not work, or not safely. `warn`: it works, and something is missing or near its limit. */
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at, in a word or two. */
  readonly about: string;
  /** One sentence without a secret. */
  readonly words: string;
}

export const ok = (about: string, words: string): Finding => ({ level: 'ok', about, words });
export const warn = (about: string, words: string): Finding => ({ level: 'warn', about, words });
export const fail = (about: string, words: string): Finding => ({ level: 'fail', about, words });

/** `ok    database         PostgreSQL 18.1 answers in 2 ms.` */
export const lineOf = ({ level, about, words }: Finding): string =>
  `${level.padEnd(5)} ${about.padEnd(16)} ${words.replaceAll(/\s+/g, ' ')}`;

/** Why something failed, in words without a stack, such as `connect ECONNREFUSED 10.0.0.1:5432`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  if (showsLossyPooler(code)) return lossyPoolerWords.replace(/\.$/, '');
  // The driver's words for a server that is up and silent read like a crash of this program.
  if (
    code === undefined &&
    /^(timeout expired|Query read timeout|Connection terminated)/.test(error.message)
  ) {
    return `no answer in time (${error.message})`;
  }
  return error.message === '' ? (code ?? error.name) : error.message.replace(/[.\s]+$/, '');
}

/** How a check is run. */
interface CheckOptions {
  /** The sentence for an error that the check knows; null for any other error. */
  known?: (error: Error) => string | null;
  limit_ms?: number;
}

/** The findings of a check. A check that throws, or takes too long, is one finding itself. */
export async function findingsOf(
  about: string,
  check: () => Finding[] | Promise<Finding[]>,
  { known = () => null, limit_ms = 15_000 }: CheckOptions = {},
): Promise<Finding[]> {
  try {
    return await inTime(Promise.resolve(check()), limit_ms, () => {
      throw new Error(`no answer within ${limit_ms / 1_000} seconds`);
    });
  } catch (error) {
    const words = error instanceof Error ? known(error.cause instanceof Error ? error.cause : error) : null;
    return [fail(about, words ?? `${reasonOf(error)}.`)];
  }
}
