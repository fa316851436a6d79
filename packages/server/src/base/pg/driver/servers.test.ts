import { describe, expect, test } from 'vitest';
import { createServers, isDatabaseUrl } from './servers.ts';

const several =
  'postgres://paydesk:a%2Cb@one:5432,two,[::1]:5434/books?sslmode=require&target_session_attrs=read-write';

describe('H-25 an address of several servers', () => {
  test('is one address for each, with all that they share', () => {
    const servers = createServers(several);
    const urls = Array.from({ length: servers.count }, () => {
      const config = servers.current();
      servers.leave(config);
      return config.connectionString;
    });
    expect(urls).toEqual([
      'postgres://paydesk:a%2Cb@one:5432/books?sslmode=verify-full',
      'postgres://paydesk:a%2Cb@two/books?sslmode=verify-full',
      'postgres://paydesk:a%2Cb@[::1]:5434/books?sslmode=verify-full',
    ]);
  });

  test('however many connections to a server fail, it is given up once, and the first follows the last', () => {
    const servers = createServers('postgres://one,two/books');
    const first = servers.current();
    for (let i = 0; i < 5; i++) servers.leave(first);
    const second = servers.current();
    expect(second.connectionString).toBe('postgres://two/books');
    servers.leave(second);
    expect(servers.current()).toBe(first);
  });
});

test.each([
  ['sslmode=prefer', 'sslmode=verify-full'],
  ['a=1&sslmode=verify-ca', 'a=1&sslmode=verify-full'],
  ['sslmode=no-verify', 'sslmode=no-verify'],
  ['sslmode=disable', 'sslmode=disable'],
  ['sslmode=require&uselibpqcompat=true', 'sslmode=require&uselibpqcompat=true'],
])('D-681 %s is given to the driver as %s, without a warning', (asked, given) => {
  expect(createServers(`postgres://one/books?${asked}`).current().connectionString).toBe(
    `postgres://one/books?${given}`,
  );
});

test.each([
  ['postgres://one/books', 1, false],
  ['postgres://one/books?target_session_attrs=any', 1, false],
  ['postgres://one/books?target_session_attrs=read-write', 1, true],
  ['postgres://one/books?target_session_attrs=primary', 1, true],
  ['postgresql://one,two/books', 2, true],
])('%s: %i servers, must write: %s', (url, count, mustWrite) => {
  expect(createServers(url)).toMatchObject({ count, mustWrite });
});

test.each([
  [several, true],
  ['postgres://one/books', true],
  ['postgres://one,:bad:/books', false],
  ['postgres://one/books?target_session_attrs=standby', false],
])('%s is an address that can be used: %s', (url, usable) => {
  expect(isDatabaseUrl(url)).toBe(usable);
});
