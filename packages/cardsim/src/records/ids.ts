const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Makes identifiers that look like the provider's: a prefix and random letters and digits. */
export type NewId = (prefix: string, length?: number) => string;

/** @param random the source of chance: as many bytes as asked for */
export function createIds(random: (size: number) => Uint8Array): NewId {
  return (prefix, length = 24) => {
    let id = prefix;
    // 256 is no multiple of 62: the slight bias is of no consequence for identifiers of this length.
    for (const byte of random(length)) id += alphabet.charAt(byte % alphabet.length);
    return id;
  };
}
