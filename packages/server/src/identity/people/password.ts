/** Hashes and checks passwords with argon2id, the default of the package. */
import { hash, type Options, verify } from '@node-rs/argon2';
import { AppError } from '../../base/errors.ts';

/** The costs that OWASP recommends: 19 MiB, two passes, one thread. Only tests change them. */
export const costs: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One spelling of a text that keyboards encode in several ways. */
const normal = (password: string): string => password.normalize('NFKC');

/** Hashes that may be computed at once. Each takes 19 MiB; the processor computes four at a time. */
const maxAtOnce = 16;
/** Of these, the hashes for one account: its holder, who knows the password, must not keep everyone else out. */
const maxOfAccount = 10;
let running = 0;
const runningOf = new Map<string, number>();

/**
 * Throws `rate_limited` while too many hashes are computed, in all or for one account, so that many guesses cannot take
 * more memory.
 */
async function withinBounds<T>(work: () => Promise<T>, account?: string): Promise<T> {
  const ofAccount = account === undefined ? 0 : (runningOf.get(account) ?? 0);
  if (running >= maxAtOnce || ofAccount >= maxOfAccount) {
    throw new AppError('rate_limited', { retry_after_s: 1 });
  }
  running++;
  if (account !== undefined) runningOf.set(account, ofAccount + 1);
  try {
    return await work();
  } finally {
    running--;
    if (account !== undefined) leaveOne(account);
  }
}

function leaveOne(account: string): void {
  const left = (runningOf.get(account) ?? 1) - 1;
  if (left === 0) runningOf.delete(account);
  else runningOf.set(account, left);
}

/** Throws `rate_limited` while too many are being computed. */
export const hashPassword = (password: string): Promise<string> =>
  withinBounds(() => hash(normal(password), costs));

/** A hash that matches no password, and costs as much to compare as a real one. */
let decoy: Promise<string> | undefined;

/**
 * Whether this is the password of `password_hash`. Null (there is no such account) costs the same time, so that the
 * response time does not reveal which accounts exist.
 *
 * @param account whose password is checked, as any text that names it
 * @throws AppError `rate_limited` while too many are being computed
 */
export async function isPassword(
  password_hash: string | null,
  password: string,
  account: string,
): Promise<boolean> {
  decoy ??= hash('', costs);
  const against = password_hash ?? (await decoy);
  const matches = await withinBounds(() => verify(against, normal(password)), account);
  return matches && password_hash !== null;
}
