/** What an account is, and the rules for its name and password. */
import { type PlatformRole, type UserRole } from '@paydesk/contract';
import { invalid } from '../../base/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

export type Role = UserRole;

/** The role of a person who runs the installation; null for everyone else. */
export const platformRoleOf = (role: Role): PlatformRole | null => (role === 'user' ? null : role);

/** An account: of a buyer, a merchant's owner or an administrator. */
export interface Person {
  user_id: string;
  /** As the person wrote it; compared by `emailKey`. */
  email: string;
  name: string;
  role: Role;
  /** argon2id, in PHC form. */
  password_hash: string;
  created_at: Date;
  /** Since when the person cannot sign in; null for everyone else. */
  disabled_at: Date | null;
}

/** Whether a person can administer the platform. */
export const isAdministrator = ({ role, disabled_at }: Pick<Person, 'role' | 'disabled_at'>): boolean =>
  role === 'admin' && disabled_at === null;

/** The signed-in person, as other modules see it. */
export type SessionUser = Pick<Person, 'user_id' | 'name' | 'email' | 'role'>;

/** The signed-in person, with the real times of the sign-in and of the last proof of presence. */
export type SignedInUser = SessionUser & {
  signed_in_at: Date;
  proved_at: Date;
  /** The person's role needs a second factor, and there is none: the session can only set one up. */
  must_enrol: boolean;
};

/** The address of an erased account: no mail reaches it, and no one can sign up with it. */
export const erasedAddress = (user_id: string): string => `${user_id}@erased.invalid`;

/** Whether an account is erased, so that only its id remains (D-435). */
export const isErased = ({ user_id, email, name }: Pick<Person, 'user_id' | 'email' | 'name'>): boolean =>
  email === erasedAddress(user_id) && name === '';

/** Trims a name. Throws `invalid_request` where it is empty or too long. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || Buffer.byteLength(name) > 200) throw invalid('name', 'A name of 1 to 200 bytes.');
  return name;
}

const shortestPassword = 10;
const longestPassword = 1_024;

/**
 * Throws `invalid_request` where a new password is too short, too long to hash, or one of the most common. Only new
 * passwords are checked: one that was stored before still signs in.
 */
export async function checkPassword(password: string): Promise<string> {
  if (Array.from(password).length < shortestPassword || Buffer.byteLength(password) > longestPassword) {
    throw invalid(
      'password',
      `A password has at least ${shortestPassword} characters and at most ${longestPassword} bytes.`,
    );
  }
  if (await isCommonPassword(password)) {
    throw invalid('password', 'This password is one of the most common ones. Choose another one.');
  }
  return password;
}

/** Whether a text can be a password, and is worth hashing. */
export const mayBePassword = (text: string): boolean =>
  text !== '' && Buffer.byteLength(text) <= longestPassword;
