/** Connections that go to one checked address. */
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type * as Undici from 'undici';

/** Idle connections close before a usual receiver closes them, so that no request meets a closing connection. */
const keepAlive_ms = 4_000;

/** The context that was made last: parsing all root certificates takes some 20 ms, and a process has one setting. */
let last: { ca: string | null; context: SecureContext } | undefined;

/**
 * The certificates that connections trust.
 *
 * @param ca additional trusted certificates in PEM, or null
 */
export function trusting(ca: string | null): SecureContext {
  if (last?.ca === ca) return last.context;
  const context = createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
  last = { ca, context };
  return context;
}

export interface PoolSettings {
  /** The checked address. */
  address: string;
  secureContext: SecureContext;
  connections: number;
  /** Time limit for the connection, TLS included. */
  timeout_ms: number;
}

export type OpenPool = (destination: string, settings: PoolSettings) => Undici.Pool;

/** Loads the library at the first connection, because a process that sends nothing does not need it (D-560). */
export async function loadPools(): Promise<OpenPool> {
  const library = await import('undici');
  return (destination, settings) => openPool(library, destination, settings);
}

/**
 * Opens a pool of TLS connections. Invariant: every connection goes to the checked address, even where the name
 * resolves to another address by now, and the certificate is valid for the host name.
 *
 * @param destination host and port
 */
function openPool(
  { buildConnector, Pool }: typeof Undici,
  destination: string,
  { address, secureContext, connections, timeout_ms }: PoolSettings,
): Undici.Pool {
  const family = isIP(address);
  // Sockets call this instead of a resolver, so they use the address that was checked.
  const lookup: LookupFunction = (_name, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const connect = buildConnector({ secureContext, lookup, timeout: timeout_ms, rejectUnauthorized: true });
  return new Pool(`https://${destination}`, {
    connect: (options, callback) => {
      connect(options, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(new ConnectError(error), null);
      });
    },
    connections,
    pipelining: 1,
    keepAliveTimeout: keepAlive_ms,
    keepAliveMaxTimeout: keepAlive_ms,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** A connection failed, by the network or by TLS. */
export class ConnectError extends Error {
  constructor(cause: Error) {
    super('no connection', { cause });
  }
}
