/** Ends when the process is asked to stop, or what it cannot do without is lost. */
export async function untilStopped(lost?: Promise<void>): Promise<void> {
  let asked = (): void => undefined;
  const stop = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, asked);
  await Promise.race([stop, ...(lost === undefined ? [] : [lost])]);
  for (const signal of signals) {
    process.removeListener(signal, asked);
    // Asked a second time: at once.
    process.once(signal, () => process.exit(130));
  }
}
