/** The passwords that attackers try first: a bundled list that contains the 10,000 most common ones. */

/** In lower case. Made when it is first needed, because most processes never set a password (D-560). */
let known: ReadonlySet<string> | undefined;

/** Whether a password is in the list, in any spelling of upper and lower case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= new Set((await import('@zxcvbn-ts/language-common')).dictionary['passwords-common']);
  return known.has(password.normalize('NFKC').toLowerCase());
}
