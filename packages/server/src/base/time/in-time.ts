/** Waiting for an answer, but not longer than a caller would. */
import { seconds } from './clock.ts';

/** What may take longer than a request may is given up after this time, so that its caller has an answer within ten seconds (H-25). */
export const answerWithin_ms = seconds(9);

/**
 * Waits for an answer for so many real milliseconds, then returns or throws what `late` does. The work behind the answer goes
 * on, and nobody is told how it ends.
 */
export async function inTime<T>(answer: Promise<T>, within_ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const given_up = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, within_ms);
  });
  try {
    return await Promise.race([answer, given_up.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
