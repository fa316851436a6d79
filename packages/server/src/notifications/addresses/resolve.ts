/** Resolves host names, and checks what they resolve to (R-250, D-133). */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { bareHost, invalidNotifyUrl, isPublicAddress, isPublicName } from './public-address.ts';

/** Returns all IPv4 and IPv6 addresses of a name; rejects where there are none. */
export type NameResolver = (name: string) => Promise<string[]>;

/** Time limit of the look-up when an order is created (D-133). */
const creationDnsTimeout_ms = 2_000;

const hostsFile = '/etc/hosts';
const hostsFileCache_ms = 5_000;

/**
 * Reads the hosts file, then asks the name servers. It does not use `getaddrinfo`, which blocks one of the few
 * threads of the process: one merchant's dead name server would delay the deliveries of all.
 */
export function systemResolver(): NameResolver {
  const servers = new Resolver({ timeout: 2_000, tries: 2 });
  const asking = new Map<string, Promise<string[]>>();
  let hosts: Promise<Map<string, string[]>> = Promise.resolve(new Map<string, string[]>());
  let hostsReadAt = -Infinity;

  function knownHosts(): Promise<Map<string, string[]>> {
    if (performance.now() - hostsReadAt > hostsFileCache_ms) {
      hostsReadAt = performance.now();
      hosts = readFile(hostsFile, 'utf8').then(parseHosts, () => new Map<string, string[]>());
    }
    return hosts;
  }

  async function ask(name: string): Promise<string[]> {
    const fromFile = (await knownHosts()).get(name);
    if (fromFile !== undefined) return fromFile;
    const answers = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw new Error('the name does not resolve', { cause: answers });
  }

  return (name) => {
    // Look-ups of one name at the same time share one answer; answers are not cached.
    const key = name.toLowerCase().replace(/\.$/, '');
    const known = asking.get(key);
    if (known !== undefined) return known;
    const answer = ask(key).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  };
}

/** The names of a hosts file with their addresses, in the order written. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

/** The result of checking a host: its public addresses, or why it has none. */
export type HostVerdict =
  | { verdict: 'public'; addresses: string[] }
  | { verdict: 'private' | 'unresolved' | 'timeout' };

export interface VetOptions {
  resolver: NameResolver;
  /** Ranges that count as public (D-141). */
  allow_cidrs: readonly string[];
  timeout_ms: number;
}

/** Resolves the host of an address once. One address that is not public makes the whole name `private` (D-133). */
export async function vetHost(
  url: URL,
  { resolver, allow_cidrs, timeout_ms }: VetOptions,
): Promise<HostVerdict> {
  const host = bareHost(url);
  if (isIP(host) !== 0) {
    return isPublicAddress(host, allow_cidrs)
      ? { verdict: 'public', addresses: [host] }
      : { verdict: 'private' };
  }
  if (!isPublicName(host)) return { verdict: 'private' };
  const addresses = await within(timeout_ms, resolver(host));
  if (addresses === 'timeout') return { verdict: 'timeout' };
  if (addresses === 'failed' || addresses.length === 0) return { verdict: 'unresolved' };
  const allPublic = addresses.every((address) => isPublicAddress(address, allow_cidrs));
  return allPublic ? { verdict: 'public', addresses } : { verdict: 'private' };
}

function within<T>(timeout_ms: number, answer: Promise<T>): Promise<T | 'timeout' | 'failed'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve('timeout');
    }, timeout_ms);
    const settle = (value: T | 'failed'): void => {
      clearTimeout(timer);
      resolve(value);
    };
    answer.then(settle, () => {
      settle('failed');
    });
  });
}

/**
 * Makes the check for creation: it throws AppError `invalid_notify_url` where the name of a `notify_url` resolves to a
 * private address now. A name that does not resolve, or not in time, is accepted, because each delivery checks it again
 * (R-250, D-133).
 */
export function createNotifyUrlVetter(
  allow_cidrs: readonly string[],
  resolver: NameResolver = systemResolver(),
): (notify_url: string) => Promise<void> {
  const options = { resolver, allow_cidrs, timeout_ms: creationDnsTimeout_ms };
  return async (notify_url) => {
    const { verdict } = await vetHost(new URL(notify_url), options);
    if (verdict === 'private') throw invalidNotifyUrl();
  };
}
