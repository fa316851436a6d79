/** Ranges of addresses in CIDR notation, from which a key or a client may call. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid } from '../errors.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const mappedBits = 96;

/**
 * Checks a list of ranges and removes duplicates.
 *
 * @throws AppError `invalid_request` on `field`
 */
export function checkRanges(field: string, ranges: readonly string[]): string[] {
  const wrong = ranges.find((text) => parseRange(text) === null);
  if (wrong === undefined) return [...new Set(ranges)];
  throw invalid(field, `"${wrong}" is not an address range, such as 203.0.113.0/24 or 2001:db8::/32.`);
}

/** Whether an address is in one of the ranges. An empty list has no limit. An address that cannot be read is in none. */
export function isInRanges(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  if (isIP(address) === 0) return false;
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  const caller = ipaddr.process(address);
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== null && range[0].kind() === caller.kind() && caller.match(...range);
  });
}

/** Null if the text is not a range. A range of IPv4-mapped IPv6 addresses is the range of the IPv4 addresses. */
function parseRange(text: string): Range | null {
  // Programs disagree about other forms, such as the octal `010.0.0.0/8` (D-781).
  if (isIP(text.split('/', 1)[0] ?? '') === 0 || !ipaddr.isValidCIDR(text)) return null;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < mappedBits) {
    return [address, bits];
  }
  return [address.toIPv4Address(), bits - mappedBits];
}
