import { describe, expect, test, vi } from 'vitest';
import { type NameResolver, parseHosts, createNotifyUrlVetter, vetHost } from './resolve.ts';

const resolvesTo =
  (...addresses: string[]): NameResolver =>
  () =>
    Promise.resolve(addresses);
const fails: NameResolver = () => Promise.reject(new Error('ENOTFOUND'));
const never: NameResolver = () => new Promise(() => undefined);

const vet = (url: string, resolver: NameResolver, allow_cidrs: string[] = []): ReturnType<typeof vetHost> =>
  vetHost(new URL(url), { resolver, allow_cidrs, timeout_ms: 20 });

describe('R-250 R-251 the host of an address', () => {
  test.each<[string, NameResolver, string[], object]>([
    [
      'public',
      resolvesTo('8.8.8.8', '2606:4700::1'),
      [],
      { verdict: 'public', addresses: ['8.8.8.8', '2606:4700::1'] },
    ],
    ['private', resolvesTo('10.0.0.1'), [], { verdict: 'private' }],
    ['partly private', resolvesTo('8.8.8.8', '127.0.0.1'), [], { verdict: 'private' }],
    ['private IPv6', resolvesTo('8.8.8.8', 'fe80::1'), [], { verdict: 'private' }],
    ['a mapped private address', resolvesTo('::ffff:10.0.0.1'), [], { verdict: 'private' }],
    ['allowed', resolvesTo('127.0.0.1'), ['127.0.0.0/8'], { verdict: 'public', addresses: ['127.0.0.1'] }],
    ['partly allowed', resolvesTo('127.0.0.1', '10.0.0.1'), ['127.0.0.0/8'], { verdict: 'private' }],
    ['nothing', resolvesTo(), [], { verdict: 'unresolved' }],
    ['failure', fails, [], { verdict: 'unresolved' }],
    ['silence', never, [], { verdict: 'timeout' }],
  ])('D-133 a name that resolves to %s', async (_, resolver, allow_cidrs, expected) => {
    expect(await vet('https://shop.example/', resolver, allow_cidrs)).toEqual(expected);
  });

  test('literals are not resolved', async () => {
    const resolver = vi.fn(fails);
    expect(await vet('https://8.8.8.8/', resolver)).toEqual({ verdict: 'public', addresses: ['8.8.8.8'] });
    expect(await vet('https://[2606:4700::1]/', resolver)).toEqual({
      verdict: 'public',
      addresses: ['2606:4700::1'],
    });
    expect(await vet('https://[::1]/', resolver)).toEqual({ verdict: 'private' });
    expect(await vet('https://0x7f.1/', resolver)).toEqual({ verdict: 'private' });
    expect(resolver).not.toHaveBeenCalled();
  });

  test('D-132 local names are not even resolved', async () => {
    const resolver = vi.fn(resolvesTo('8.8.8.8'));
    expect(await vet('https://printer.local/', resolver)).toEqual({ verdict: 'private' });
    expect(resolver).not.toHaveBeenCalled();
  });
});

describe('R-250 D-133 at creation', () => {
  const url = 'https://shop.example/hook';

  test('a name that resolves to a private address is refused', async () => {
    await expect(createNotifyUrlVetter([], resolvesTo('192.168.0.1'))(url)).rejects.toMatchObject({
      code: 'invalid_notify_url',
      detail: { field: 'notify_url' },
    });
  });

  test.each([
    ['resolves to public addresses', resolvesTo('8.8.8.8')],
    ['does not resolve', fails],
  ])('a name that %s is accepted', async (_, resolver) => {
    await expect(createNotifyUrlVetter([], resolver)(url)).resolves.toBeUndefined();
  });

  test('a name that takes longer than 2 s is accepted', async () => {
    vi.useFakeTimers();
    try {
      const vetted = createNotifyUrlVetter([], never)(url);
      await vi.advanceTimersByTimeAsync(2_000);
      await expect(vetted).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a hosts file gives all addresses of a name', () => {
  const text =
    '# local\n127.0.0.1 localhost\n::1 localhost ip6-localhost # six\n10.0.0.5\tHooks.Example a b\nbroken line\n';
  expect(Object.fromEntries(parseHosts(text))).toEqual({
    localhost: ['127.0.0.1', '::1'],
    'ip6-localhost': ['::1'],
    'hooks.example': ['10.0.0.5'],
    a: ['10.0.0.5'],
    b: ['10.0.0.5'],
  });
});
