const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates an identifier in the provider’s format: a prefix followed by random letters and digits. */
export type NewId = (prefix: string, length?: number) => string;

/** @param random returns the requested number of random bytes */
export function createIds(random: (size: number) => Uint8Array): NewId {
  return (prefix, length = 24) => {
    let id = prefix;
    // 256 is not a multiple of 62. The small bias does not matter for identifiers of this length.
    for (const byte of random(length)) id += alphabet.charAt(byte % alphabet.length);
    return id;
  };
}
