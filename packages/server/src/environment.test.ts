import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

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
    'postgres://u:hidden@one,two/books?options=1&sslmode=wrong',
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
  ['DATABASE_URL', 'postgres://h/books?sslmode=verify-full&application_name=/a?b'],
  ['DATABASE_URL', 'postgres://h/books?sslmode=disable'],
])('D-642 %s=%s is taken', (variable, value) => {
  expect(() => readConfig({ [variable]: value })).not.toThrow();
});

const here = fileURLToPath(import.meta.url);

test.each([
  [
    'DATABASE_URL',
    'postgres://h/books?sslmod=require',
    'has "sslmod", which is no parameter of PostgreSQL: did you mean sslmode?',
  ],
  [
    'DATABASE_URL',
    'postgres://h/books?lock_timeout=1',
    'must not set lock_timeout: the service sets its own time limits.',
  ],
  [
    'DATABASE_URL',
    'postgres://h/books?sslrootcert=/absent',
    'has sslrootcert, which names a file that does not exist: /absent.',
  ],
  [
    'DATABASE_URL',
    `postgres://h/books?sslrootcert=${here}`,
    `has sslrootcert, which names a file without a certificate in PEM form: ${here}.`,
  ],
  [
    'DATABASE_URL',
    'postgres://h/books?sslkey=/absent',
    'has sslkey, which names a file that does not exist: /absent.',
  ],
  [
    'PAYDESK_DATA_DIR',
    here,
    `must be a directory that this user may write, not ${here} (${here} is a file).`,
  ],
])('D-681 %s=%s is refused at the start', (variable, value, words) => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://h/books', [variable]: value })).toThrow(
    `${variable} ${words}`,
  );
});

test('D-1476 a data directory that cannot be looked at is refused, as for a user without a right to it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'environment-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const loop = join(dir, 'loop');
  symlinkSync(loop, loop);
  const read = (): unknown => readConfig({ PAYDESK_DATA_DIR: loop });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`must be a directory that this user may write, not ${loop} (ELOOP).`);
});

test.each([
  'postgres://h/books?sslmode=require&channel_binding=require',
  'postgres://u@localhost/books?host=/run/postgresql&port=5433&connect_timeout=5',
])('D-681 parameters of libpq are taken: %s', (value) => {
  expect(() => readConfig({ DATABASE_URL: value, PAYDESK_DATA_DIR: '/absent' })).not.toThrow();
});

test('what the tests and scripts of the repository read is no misspelt setting', () => {
  const names = ['CITUS_KILL', 'CITUS_START', 'PROPERTY_SEED', 'SHOP', 'SHOP_HOME'];
  const added = Object.fromEntries(names.map((name) => [`PAYDESK_${name}`, '1']));
  expect(readConfig(added)).toEqual(readConfig({}));
});

test.each([
  ['PAYDESK_SMTP_URL', 'smtps://pay:50%off@mail.example'],
  ['REDIS_URL', 'redis://pay:50%off@redis.example'],
  ['PAYDESK_SEAL_SINK', 'https://keeper:50%off@sink.example/heads'],
  ['PAYDESK_SEAL_SINK', 'file:///var/log/50%/seals.jsonl'],
  ['PAYDESK_AUDIT_SINK', 'https://keeper:50%off@sink.example/audit'],
  ['PAYDESK_NOTIFICATION_ARCHIVE', 'https://keeper:50%off@sink.example/lines'],
])('D-1209 %s: a per cent sign that encodes nothing in %s', (variable, value) => {
  expect(() => readConfig({ PAYDESK_MAIL_FROM: 'pay@desk.example', [variable]: value })).toThrow(
    new ConfigError(variable, 'has a "%" that encodes no character: write it as %25.'),
  );
});
