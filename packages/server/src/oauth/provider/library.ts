/**
 * `oidc-provider` runs on Node.js 20 and says at import that it would rather not. Operators cannot act on that line,
 * so it is kept from them; everything else it may say comes through.
 */
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
const library = await import('oidc-provider');
console.warn = warn;

export const { errors, interactionPolicy, Provider } = library;
