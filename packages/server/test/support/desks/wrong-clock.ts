import { vi } from 'vitest';

/** The real time, which the database's clock has too. A wrong local clock does not change it. */
export const trueNow_ms = (): number => performance.timeOrigin + performance.now();

/**
 * Sets the local clock of this process wrong, as `Date.now` shows it, while `work` runs. Everything in this process reads
 * it: the service, its libraries and the test.
 */
export async function withWrongClock<T>(off_s: number, work: () => Promise<T>): Promise<T> {
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => Math.round(trueNow_ms() + off_s * 1_000));
  return work().finally(() => {
    clock.mockRestore();
  });
}
