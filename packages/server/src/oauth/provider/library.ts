/** `oidc-provider`, loaded when the authorization server is first asked: it takes longer than the rest of this folder. */
import type * as Library from 'oidc-provider';
import { keepLoaded } from '../../base/keep-loaded.ts';

/** Set once the library is loaded, before its code or our code that uses it runs. */
export let errors: typeof Library.errors;
export let interactionPolicy: typeof Library.interactionPolicy;
export let Provider: typeof Library.Provider;

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
    return library;
  } finally {
    console.warn = warn;
  }
}

export const loadLibrary = keepLoaded(load);
