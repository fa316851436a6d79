/**
 * Loads what is slow to load at the first call, not when the process starts (D-560), and keeps it. After a failure the
 * next call loads again: a promise that was rejected stays so (D-894).
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

/** A package is not there, as while the program is installed anew: a fault of ours (D-831). */
export class PackageError extends Error {
  override name = 'PackageError';
}

/**
 * Loads a package. Node.js looks again for a package that was missing, but not for a file of it: the error says to restart the
 * process (D-831).
 *
 * @throws PackageError
 */
export async function demandPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const words = `${name} cannot be loaded: was the program replaced in its folder? Restart this process.`;
    throw new PackageError(words, { cause });
  }
}
