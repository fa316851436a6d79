/**
 * The limits on guessing passwords and codes (docs/accounts.md has the numbers). Invariants: a guess is counted before it
 * is judged, so that parallel guesses count; and a stranger's guesses never lock out a person at another address or on a
 * device that has signed in before.
 */
import { AppError } from '../../base/errors.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { emailKey } from '../people/index.ts';

type Group =
  | 'sign_in'
  | 'sign_in_account'
  | 'sign_in_address'
  | 'sign_in_device'
  | 'sign_in_devices'
  | 'passkey_options'
  | 'password_check'
  | 'second_factor'
  | 'recovery_code'
  | 'reset_account'
  | 'reset_address'
  | 'sign_up_account'
  | 'sign_up_address';

/** Counts failures: the limiter of http/, which this module does not know. Its methods throw `rate_limited`. */
export interface SignInLimits {
  /** Counts one. */
  take(group: Group, key: string): Promise<void>;
  /** Takes one back. */
  giveBack(group: Group, key: string): Promise<void>;
  /** Sets the count back to zero. */
  forget(group: Group, key: string): Promise<void>;
}

/** The key by which an account is counted. A digest, because people type long texts and passwords into this field. */
export const accountKey = (email: string): string => tokenHash(emailKey(email)).toString('base64url');

/**
 * Judges a guess that was counted. One that is not judged, because too many passwords are being checked or the database
 * does not answer, does not count: guesses of many strangers must not use up a person's tries.
 */
export async function judge<T>(work: () => Promise<T>, giveBack: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** Counts a guess for all known devices of an account together; false where too many have failed. */
async function takeOfDevices(limits: SignInLimits, account: string): Promise<boolean> {
  try {
    await limits.take('sign_in_devices', account);
    return true;
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === 'rate_limited') return false;
    throw refusal;
  }
}

/**
 * Counts one guess of a password. A device that has signed in to this account before has a separate count; any other
 * guess counts for its address, for the account at this address, and for the account. Who knew the password once can have
 * made any number of known devices, so beyond a hundred failures of all of them they count as any other (D-1341).
 *
 * @param device the id of a known device, or null
 * @returns `forget`, called when the password was right; and `giveBack`, called when it was not judged at all
 * @throws AppError `rate_limited`
 */
export async function countPasswordGuess(
  limits: SignInLimits,
  { account, address, device }: { account: string; address: string; device: string | null },
): Promise<{ forget: () => Promise<void>; giveBack: () => Promise<void> }> {
  if (device !== null) {
    await limits.take('sign_in_device', device);
    if (await takeOfDevices(limits, account)) {
      return {
        forget: async () => {
          await limits.giveBack('sign_in_devices', account);
          await limits.forget('sign_in_device', device);
        },
        giveBack: async () => {
          await limits.giveBack('sign_in_devices', account);
          await limits.giveBack('sign_in_device', device);
        },
      };
    }
  }
  const pair = `${account}/${address}`;
  await limits.take('sign_in_address', address);
  await limits.take('sign_in', pair);
  await limits.take('sign_in_account', account);
  const giveBackOthers = async (): Promise<void> => {
    await limits.giveBack('sign_in_address', address);
    await limits.giveBack('sign_in_account', account);
  };
  return {
    forget: async () => {
      await giveBackOthers();
      await limits.forget('sign_in', pair);
    },
    giveBack: async () => {
      await giveBackOthers();
      await limits.giveBack('sign_in', pair);
    },
  };
}
