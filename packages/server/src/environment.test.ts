import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test.each([
  [
    'REDIS_URL',
    'redis://:hidden@h/abc',
    'must end with the number of a database, such as redis://localhost:6379/0, not "/abc".',
  ],
  [
    'REDIS_URL',
    'redis://h/0/1',
    'must end with the number of a database, such as redis://localhost:6379/0, not "/0/1".',
  ],
  ['NODE_ENV', 'prod', 'must be production, development or test, not "prod".'],
  [
    'DATABASE_URL',
    'postgres://u:hidden@one,two/books?a=1&sslmode=wrong',
    'must have an sslmode of disable, no-verify, prefer, require, verify-ca, verify-full, not "wrong".',
  ],
])('D-642 %s=%s is refused with what is allowed', (variable, value, words) => {
  expect(() => readConfig({ [variable]: value })).toThrow(`${variable} ${words}`);
});

test.each([
  ['REDIS_URL', 'rediss://h:6379/15'],
  ['REDIS_URL', 'redis://h/'],
  ['NODE_ENV', 'test'],
  ['NODE_ENV', 'development'],
  ['DATABASE_URL', 'postgres://h/books?sslmode=verify-full&sslrootcert=/a?b'],
  ['DATABASE_URL', 'postgres://h/books?sslmode=disable'],
])('D-642 %s=%s is taken', (variable, value) => {
  expect(() => readConfig({ [variable]: value })).not.toThrow();
});

test('what the tests and scripts of the repository read is no misspelt setting', () => {
  const names = ['CITUS_KILL', 'CITUS_START', 'PROPERTY_SEED', 'SHOP', 'SHOP_HOME'];
  const added = Object.fromEntries(names.map((name) => [`PAYDESK_${name}`, '1']));
  expect(readConfig(added)).toEqual(readConfig({}));
});
