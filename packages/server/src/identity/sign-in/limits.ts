type Group = 'sign_in_account' | 'sign_in_address' | 'second_factor' | 'reset_account' | 'reset_address';

/** What counts the failures: the limiter of http/, which this module does not know. */
export interface SignInLimits {
  take(group: Group, key: string): Promise<void>;
  check(group: Group, key: string): Promise<void>;
  forget(group: Group, key: string): Promise<void>;
}
