import { hash, type Options, verify } from '@node-rs/argon2';

/** argon2id (the package's default) with the costs that OWASP advises: 19 MiB, two passes, one lane. */
const costs: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One way to write what can be typed in several. */
const normal = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> => hash(normal(password), costs);

/** Of no password, but as dear to compare with as any other. */
let decoy: Promise<string> | undefined;

/**
 * Whether this is the password behind `password_hash`. Without one, where there is no such account, the same work is
 * done in vain, so that the time does not tell.
 */
export async function isPassword(password_hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('');
  const matches = await verify(password_hash ?? (await decoy), normal(password));
  return matches && password_hash !== null;
}
