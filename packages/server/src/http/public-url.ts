import type { Config } from '../config.ts';

/** Values that follow from the configured public address, never from the `Host` header (R-001, H-23). */
export interface Site {
  /** Scheme, host and port of all links. */
  readonly origin: string;
  /** Origin and path prefix, without a trailing slash. */
  readonly public_url: string;
  /** Only the path prefix: '' or '/pay'. */
  readonly base_path: string;
  /** Whether the address uses HTTPS. False only on a loopback address. */
  readonly secure: boolean;
}

export function siteOf(config: Pick<Config, 'public_url' | 'base_path'>): Site {
  const { origin, protocol } = new URL(config.public_url);
  return {
    origin,
    public_url: config.public_url,
    base_path: config.base_path,
    secure: protocol === 'https:',
  };
}

/**
 * Removes the prefix. An address without the prefix gets a second slash, which no route has (R-001, H-05). People type the
 * prefix alone (D-942).
 */
export function belowPrefix(url: string, base_path: string): string {
  if (base_path === '') return url;
  const rest = url.slice(base_path.length);
  if (!url.startsWith(base_path) || !/^([/?]|$)/.test(rest)) return `/${url}`;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
