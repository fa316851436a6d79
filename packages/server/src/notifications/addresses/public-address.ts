/** Which addresses and names are public, and which `notify_url` is acceptable (R-243, D-132). */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../base/errors.ts';
import { parseHttpsUrl } from '../../base/input/https-url.ts';

/**
 * IANA's registry of special-purpose IPv4 addresses, and multicast. All of them are refused, also the few
 * that are reachable from the Internet (AS112, AMT), because no merchant receives notifications there.
 */
const specialIpv4 = ranges([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared address space of carriers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform address: metadata and keys of virtual machines
  '169.254.0.0/16', // link local, cloud metadata
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and limited broadcast
]);

/** The range of public IPv6 addresses … */
const globalIpv6 = ranges(['2000::/3']);

/** … without these parts. IPv4-mapped, -compatible and -translated addresses are all outside 2000::/3. */
const specialIpv6 = ranges([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/** Names that never leave the machine or the local network (D-132). */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa'];

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function ranges(cidrs: readonly string[]): Range[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

/** The operator's ranges, parsed once, because every delivery needs them. */
const parsed = new WeakMap<readonly string[], Range[]>();

function allowedRanges(allow_cidrs: readonly string[]): Range[] {
  const known = parsed.get(allow_cidrs) ?? ranges(allow_cidrs);
  parsed.set(allow_cidrs, known);
  return known;
}

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, list: readonly Range[]): boolean =>
  list.some((range) => address.kind() === range[0].kind() && address.match(range));

/**
 * Whether a notification may be sent to this address, also where a name resolves to it: it is public (R-246,
 * D-132), or in a range that the operator allows (D-141).
 *
 * @param ip canonical text, as the URL parser or a resolver gives it, without brackets
 */
export function isPublicAddress(ip: string, allow_cidrs: readonly string[] = []): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return false;
  const address = ipaddr.parse(ip);
  if (within(address, allowedRanges(allow_cidrs))) {
    const behind = behindNat64(address);
    return behind === null || isPublicAddress(behind, allow_cidrs);
  }
  if (address.kind() === 'ipv4') return !within(address, specialIpv4);
  return within(address, globalIpv6) && !within(address, specialIpv6);
}

const nat64 = ranges(['64:ff9b::/96']);

/**
 * The IPv4 address that a NAT64 gateway connects to; null for every other address. On a network with IPv6 alone an operator
 * allows the gateway's range, which holds the private addresses as well (D-1079).
 */
const behindNat64 = (address: ipaddr.IPv4 | ipaddr.IPv6): string | null =>
  within(address, nat64) ? address.toByteArray().slice(-4).join('.') : null;

/** Whether a host name can be public by its form: it has several labels and no local suffix (R-248, D-132). */
export function isPublicName(name: string): boolean {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  const bare = labels.join('.');
  return !privateSuffixes.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
}

/** The host of an address as resolvers and sockets take it: without the brackets of IPv6. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Checks the text of a `notify_url`: absolute HTTPS with a public host, at most 2048 bytes, not
 * trimmed (R-244, D-135), without credentials or fragment, without backslash, white space or control
 * character, with any port except 0 (D-134). What a name resolves to is checked in resolve.ts.
 *
 * @returns the text itself, to be stored unchanged
 * @throws AppError `invalid_notify_url`
 */
export function parseNotifyUrl(text: string, allow_cidrs: readonly string[] = []): string {
  const url = parseHttpsUrl(text);
  if (url === null || text.includes('#')) throw invalidNotifyUrl();
  // Checked after parsing, because the parser gives every spelling of an address one form.
  const host = bareHost(url);
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host, allow_cidrs);
  if (!isPublic) throw invalidNotifyUrl();
  return text;
}

export const invalidNotifyUrl = (): AppError => new AppError('invalid_notify_url', { field: 'notify_url' });
