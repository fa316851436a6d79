/** Hashes and checks passwords with argon2id, the default of the package. */
import { hash, type Options, verify } from '@node-rs/argon2';

/** The costs that OWASP recommends: 19 MiB, two passes, one thread. */
const costs: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One spelling of a text that keyboards encode in several ways. */
const normal = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> => hash(normal(password), costs);

/** A hash that matches no password, and costs as much to compare as a real one. */
let decoy: Promise<string> | undefined;

/**
 * Whether this is the password of `password_hash`. Null (there is no such account) costs the same time, so that the
 * response time does not reveal which accounts exist.
 */
export async function isPassword(password_hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('');
  const matches = await verify(password_hash ?? (await decoy), normal(password));
  return matches && password_hash !== null;
}
