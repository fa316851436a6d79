/** The limits on guessing passwords and codes (docs/accounts.md has the numbers). */
import { tokenHash } from '../../base/secret-box.ts';
import { emailKey } from '../people/index.ts';

type Group = 'sign_in_account' | 'sign_in_address' | 'second_factor' | 'reset_account' | 'reset_address';

/** Counts failures: the limiter of http/, which this module does not know. Its methods throw `rate_limited`. */
export interface SignInLimits {
  /** Counts one. */
  take(group: Group, key: string): Promise<void>;
  /** Counts nothing. */
  check(group: Group, key: string): Promise<void>;
  /** Sets the count back to zero. */
  forget(group: Group, key: string): Promise<void>;
}

/** The key by which an account is counted. A digest, because people type long texts and passwords into this field. */
export const accountKey = (email: string): string => tokenHash(emailKey(email)).toString('base64url');
