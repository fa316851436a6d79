import { invalid } from '../../base/errors.ts';

export type Role = 'user' | 'admin';

/** Someone with an account: a buyer, a merchant's owner, an administrator. */
export interface Person {
  user_id: string;
  /** As it was given; compared by `emailKey`. */
  email: string;
  name: string;
  role: Role;
  /** argon2id, in PHC form. */
  password_hash: string;
  created_at: Date;
}

/** Who is signed in, as far as other parts need to know. */
export type SessionUser = Pick<Person, 'user_id' | 'name' | 'email' | 'role'>;

/** Who is signed in, and since when; real time. */
export type SignedIn = SessionUser & { signed_in_at: Date };

/** The address as it is compared: one account, however it is written. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/** The address without surrounding white space. Throws `invalid_request` where it cannot be one. */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (Buffer.byteLength(email) > 254 || !/^[^\s@]+@[^\s@]+$/u.test(email)) {
    throw invalid('email', 'An e-mail address of at most 254 bytes.');
  }
  return email;
}

/** Throws `invalid_request` where a name is empty or too long. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || Buffer.byteLength(name) > 200) throw invalid('name', 'A name of 1 to 200 bytes.');
  return name;
}

const longestPassword = 1_024;

/** Throws `invalid_request` where a new password is too short to be one, or too long to be hashed in passing. */
export function checkPassword(password: string): string {
  if (password.length < 8 || Buffer.byteLength(password) > longestPassword) {
    throw invalid('password', `A password of at least 8 characters and at most ${longestPassword} bytes.`);
  }
  return password;
}

/** Whether it is worth hashing at all: no password is longer. */
export const mayBePassword = (text: string): boolean =>
  text !== '' && Buffer.byteLength(text) <= longestPassword;
