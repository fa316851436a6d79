/** What an account is, and the rules for its email address, name and password. */
import { domainToASCII, domainToUnicode } from 'node:url';
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

/** The key by which addresses are compared: case and spelling variants share one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/**
 * Trims an email address. Throws `invalid_request` where the text is not one, or another spelling of one: mail would
 * reach the same person, who would be another account (D-672).
 */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (Buffer.byteLength(email) > 254 || !isPlainAddress(email)) {
    throw invalid('email', 'An email address of at most 254 bytes.');
  }
  return email;
}

/** Neither the mail library nor a mail server reads anything else in it: brackets, comments, invisible characters. */
function isPlainAddress(email: string): boolean {
  if (!/^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+$/u.test(email)) return false;
  const host = emailKey(email.slice(email.indexOf('@') + 1));
  const canonical = domainToASCII(host);
  return (
    canonical !== '' && !host.endsWith('.') && (host === canonical || host === domainToUnicode(canonical))
  );
}

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
