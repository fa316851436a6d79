export const databaseLost =
  'The embedded database has ended without being told to: see the logs in the data directory.';

/** Waits until the process is asked to stop, or what it cannot do without is lost; says which. */
export async function untilStopped(lost?: Promise<void>): Promise<'asked' | 'lost'> {
  let asked = (): void => undefined;
  const stop = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, asked);
  const why = await Promise.race([
    stop.then(() => 'asked' as const),
    ...(lost === undefined ? [] : [lost.then(() => 'lost' as const)]),
  ]);
  for (const signal of signals) {
    process.removeListener(signal, asked);
    // Asked a second time: at once.
    process.once(signal, () => process.exit(130));
  }
  return why;
}
