/** `oidc-provider`, loaded when the authorization server is first asked: it takes longer than the rest of this folder. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type * as Library from 'oidc-provider';
import { loadOnce } from '../../base/load-once.ts';
import { type Rest, restingStorage } from '../../base/context/resting-storage.ts';

/** Set once the library is loaded, before its code or our code that uses it runs. */
export let errors: typeof Library.errors;
export let interactionPolicy: typeof Library.interactionPolicy;
export let Provider: typeof Library.Provider;
/** Of the storage in which the library keeps the request that it answers. */
export let libraryRest: Rest;

/** It is no public part of the library; a test tells where an upgrade moves it. */
async function loadStorage(): Promise<AsyncLocalStorage<unknown>> {
  const file = new URL('helpers/als.js', import.meta.resolve('oidc-provider'));
  const { default: storage } = (await import(file.href)) as { default: AsyncLocalStorage<unknown> };
  return storage;
}

/**
 * Loads the library (D-560). On Node.js 20 it prints a warning about its runtime; operators cannot act on it, so it is
 * suppressed. All its other warnings are printed.
 */
async function load(): Promise<typeof Library> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    const library = await import('oidc-provider');
    ({ errors, interactionPolicy, Provider } = library);
    libraryRest = restingStorage(await loadStorage());
    return library;
  } finally {
    console.warn = warn;
  }
}

/** After a failure the next use looks for it again (D-894). */
export const loadLibrary = loadOnce(load);
