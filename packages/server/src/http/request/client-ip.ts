/** The address of the sender, for rate limits and logs, also behind trusted proxies. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * The sender's full address, and the part of it that limits count by: of an IPv6 address its /64, the range of one
 * subscriber (D-161). `unknown` if there is none.
 */
export interface Sender {
  address: string;
  key: string;
  /** Whether a trusted proxy passed the request on. */
  is_proxied: boolean;
}

/**
 * The address is the socket's peer. If that is a trusted proxy, it is the right-most address of `X-Forwarded-For` that
 * is not a trusted proxy. Addresses further left come from the client and are not trusted.
 *
 * @param trusted address ranges in CIDR notation
 * @param onIgnored called with the peer whenever its `X-Forwarded-For` is ignored, because the peer is not trusted
 */
export function senderOf(
  trusted: readonly string[],
  onIgnored?: (peer: string) => void,
): (peer: string | undefined, forwarded: string | string[] | undefined) => Sender {
  const ranges = trusted.map((cidr): Range => ipaddr.parseCIDR(cidr));
  return (peer, forwarded) => {
    let address = parse(peer ?? '');
    if (address === null) return { address: 'unknown', key: 'unknown', is_proxied: false };
    const is_proxied = isTrusted(address, ranges);
    if (forwarded !== undefined && !is_proxied) onIgnored?.(asKey(address));
    const hops = [forwarded ?? ''].flat().join(',').split(',');
    while (isTrusted(address, ranges)) {
      const next = parse(withoutPort(hops.pop() ?? ''));
      if (next === null) break;
      address = next;
    }
    return { address: address.toString(), key: asKey(address), is_proxied };
  };
}

/**
 * Reads an address in its usual form. Other forms, such as the octal `0177.0.0.1`, are refused: programs disagree about
 * what they mean.
 */
function parse(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/** Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(text: string): string {
  const hop = text.trim();
  const match = /^\[(.+)\](?::\d+)?$/.exec(hop) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop);
  return match?.[1] ?? hop;
}

function isTrusted(address: Address, ranges: Range[]): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

function asKey(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}
