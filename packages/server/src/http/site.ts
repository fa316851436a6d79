import type { Config } from '../config.ts';

/** What the public address decides about answers: origin, path prefix, and whether cookies are `Secure`. */
export interface Site {
  /** Scheme, host and port of every link. */
  readonly origin: string;
  /** Origin and path prefix, without a trailing slash. */
  readonly public_url: string;
  /** The path prefix alone: '' or '/pay'. */
  readonly base_path: string;
  /** False on plain-HTTP loopback only. */
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
