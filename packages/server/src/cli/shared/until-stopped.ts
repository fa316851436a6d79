/** Waiting for the end of a command that runs until it is stopped. */

/** Tells an operator what to do when `waitUntilStopped` returns `lost`. */
export const databaseLostMessage =
  'The embedded database stopped unexpectedly, so Paydesk stops: read the logs in the data directory, then start again.';

/**
 * Waits until a signal asks the process to stop, or until `lost` resolves. A second signal ends the process at once.
 *
 * @param lost resolves when the embedded database stops unexpectedly
 */
export async function waitUntilStopped(lost?: Promise<void>): Promise<'asked' | 'lost'> {
  let asked = (): void => undefined;
  const stop = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, asked);
  const why = await Promise.race([
    stop.then(() => 'asked' as const),
    ...(lost === undefined ? [] : [lost.then(() => 'lost' as const)]),
  ]);
  for (const signal of signals) {
    process.removeListener(signal, asked);
    process.once(signal, () => process.exit(130));
  }
  return why;
}
