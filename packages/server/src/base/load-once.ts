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
