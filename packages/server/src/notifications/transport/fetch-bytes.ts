/** Downloads a small file from a merchant's address, as safely as a notification is sent. */
import { destinationOf } from '../../base/input/https-url.ts';
import { type NameResolver, vetHost } from '../addresses/index.ts';
import { loadPools, trusting } from './pinned-pool.ts';
import { maxInformational, userAgent } from './http-sender.ts';

export interface FetchBytesOptions {
  resolver: NameResolver;
  allow_cidrs: readonly string[];
  /** PEM certificates trusted beside the built-in ones, or null. */
  ca: string | null;
  headers: Record<string, string>;
  max_bytes: number;
  /** Time limit for everything, from the name look-up to the last byte. */
  timeout_ms: number;
}

/** The result of a download. */
export type FetchedBytes =
  | { kind: 'bytes'; bytes: Buffer }
  /** The source answers, but not with an acceptable file. */
  | { kind: 'refused'; problem: 'private_target' | 'http_status' | 'too_large' }
  /** The source does not answer: it may answer later. */
  | { kind: 'unreachable'; problem: 'dns_failed' | 'timeout' | 'no_connection' };

const problemOf = { unresolved: 'dns_failed', timeout: 'timeout' } as const;

/**
 * Downloads from an address that a merchant chose, under the rules of notifications: the name is resolved once, all its
 * addresses must be public, and the connection goes to one of them, without proxies, redirects or compression (R-251,
 * D-132, D-133).
 *
 * @param url an absolute HTTPS address
 */
export async function fetchBytes(url: URL, options: FetchBytesOptions): Promise<FetchedBytes> {
  const { resolver, allow_cidrs, timeout_ms } = options;
  const started = performance.now();
  const host = await vetHost(url, { resolver, allow_cidrs, timeout_ms });
  if (host.verdict === 'private') return { kind: 'refused', problem: 'private_target' };
  if (host.verdict !== 'public') return { kind: 'unreachable', problem: problemOf[host.verdict] };
  const [address = ''] = host.addresses;
  const openPool = await loadPools();
  const left_ms = Math.max(1, Math.round(timeout_ms - (performance.now() - started)));
  const pool = openPool(destinationOf(url), {
    address,
    secureContext: trusting(options.ca),
    connections: 1,
    timeout_ms: left_ms,
  });
  const timeout = AbortSignal.timeout(left_ms);
  const flood = new AbortController();
  let informational = 0;
  const onInfo = (): void => {
    if (++informational > maxInformational) flood.abort();
  };
  const signal = AbortSignal.any([timeout, flood.signal]);
  try {
    return await read(
      pool.request({ ...requestOf(url, options.headers), signal, onInfo }),
      options.max_bytes,
    );
  } catch {
    return { kind: 'unreachable', problem: timeout.aborted ? 'timeout' : 'no_connection' };
  } finally {
    await pool.destroy();
  }
}

const requestOf = (url: URL, headers: Record<string, string>) => ({
  method: 'GET' as const,
  path: `${url.pathname}${url.search}`,
  headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
});

interface Response {
  statusCode: number;
  body: AsyncIterable<Buffer>;
}

async function read(asked: Promise<Response>, max_bytes: number): Promise<FetchedBytes> {
  const { statusCode, body } = await asked;
  // A server error may be temporary; any other status is the answer of the source.
  if (statusCode >= 500) return { kind: 'unreachable', problem: 'no_connection' };
  if (statusCode !== 200) return { kind: 'refused', problem: 'http_status' };
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > max_bytes) return { kind: 'refused', problem: 'too_large' };
    chunks.push(chunk);
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
}
