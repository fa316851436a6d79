import { expect, test } from 'vitest';
import { hashPassword, isPassword } from './password.ts';

test('R-383 a password is hashed with argon2id at the costs that OWASP recommends', async () => {
  const hash = await hashPassword('a long enough password');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword(hash, 'a long enough password', 'someone')).toBe(true);
  expect(await isPassword(hash, 'another password', 'someone')).toBe(false);
});
