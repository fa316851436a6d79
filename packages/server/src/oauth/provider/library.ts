/**
 * Loads `oidc-provider`. On Node.js 20 the library prints a warning about its runtime; operators cannot act on it, so
 * it is suppressed. All its other warnings are printed.
 */
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
const library = await import('oidc-provider');
console.warn = warn;

export const { errors, interactionPolicy, Provider } = library;
