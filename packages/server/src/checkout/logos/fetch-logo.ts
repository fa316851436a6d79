/** Fetches a merchant's logo, so that a checkout page loads it from our own origin. */
import { parseHttpsUrl } from '../../base/input/https-url.ts';
import { logoOf, maxLogoBytes } from '../../base/settings/index.ts';
import type { FetchedLogo } from '../../merchants/index.ts';
import { type NameResolver, systemResolver } from '../../notifications/addresses/index.ts';
import { fetchBytes } from '../../notifications/transport/index.ts';

/** For one logo. A process that stops waits for it (H-24). */
const timeout_ms = 5_000;

export interface LogoFetching {
  allow_cidrs: readonly string[];
  ca: string | null;
  resolver?: NameResolver;
}

/**
 * The fetcher takes an address with HTTPS on a public host. The content decides, not the name: a still PNG, JPEG or
 * WebP within the limits of size. Anything else is refused with the problem.
 */
export function createFetchLogo({
  allow_cidrs,
  ca,
  resolver = systemResolver(),
}: LogoFetching): (source_url: string) => Promise<FetchedLogo> {
  const accept = 'image/webp, image/png, image/jpeg';
  const options = { resolver, allow_cidrs, ca, max_bytes: maxLogoBytes, timeout_ms, headers: { accept } };
  return async (source_url) => {
    const url = parseHttpsUrl(source_url);
    if (url === null) return { kind: 'refused', problem: 'not_https' };
    const fetched = await fetchBytes(url, options);
    return fetched.kind === 'bytes' ? logoOf(fetched.bytes) : fetched;
  };
}
