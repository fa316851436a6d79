/** Fetches a merchant's logo, so that a checkout page loads it from our own origin. */
import { createHash } from 'node:crypto';
import { parseHttpsUrl } from '../../base/input/https-url.ts';
import { readRaster } from '../../base/raster.ts';
import type { FetchedLogo } from '../../merchants/index.ts';
import { type NameResolver, systemResolver } from '../../notifications/addresses/index.ts';
import { fetchBytes } from '../../notifications/transport/index.ts';

/** The largest logo that is stored. */
const max_bytes = 128 * 1024;
/** Maximum pixels of a side. Without it, a small file could fill the memory of a phone. */
const max_side = 2_048;
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
  const options = { resolver, allow_cidrs, ca, max_bytes, timeout_ms, headers: { accept } };
  return async (source_url) => {
    const url = parseHttpsUrl(source_url);
    if (url === null) return { kind: 'refused', problem: 'not_https' };
    const fetched = await fetchBytes(url, options);
    return fetched.kind === 'bytes' ? logoOf(fetched.bytes) : fetched;
  };
}

/** Checks the bytes of a logo. */
export function logoOf(content: Buffer): FetchedLogo {
  const raster = readRaster(content);
  if (raster === null) return { kind: 'refused', problem: 'not_a_picture' };
  const { width, height, content_type, animated } = raster;
  if (animated) return { kind: 'refused', problem: 'animated' };
  if (Math.min(width, height) < 1 || Math.max(width, height) > max_side) {
    return { kind: 'refused', problem: 'too_large' };
  }
  const content_hash = createHash('sha256').update(content).digest('hex');
  return { kind: 'picture', logo: { content, content_type, content_hash } };
}
