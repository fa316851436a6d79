import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector, Pool } from 'undici';

/** Idle connections are closed before the usual receiver would close them, so that none is lost in a race. */
const keepAlive_ms = 4_000;

/**
 * Whom a connection believes.
 *
 * @param ca PEM certificates trusted beside the built-in ones, or null
 */
export const trusting = (ca: string | null): SecureContext =>
  createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });

export interface PoolSettings {
  /** The vetted address. */
  address: string;
  secureContext: SecureContext;
  connections: number;
  /** For connecting, TLS included. */
  timeout_ms: number;
}

/**
 * Connections over TLS to one vetted address of a destination and nowhere else, whatever its name says meanwhile
 * . The certificate must be valid for the host name.
 *
 * @param destination host and port
 */
export function openPool(
  destination: string,
  { address, secureContext, connections, timeout_ms }: PoolSettings,
): Pool {
  const family = isIP(address);
  // Sockets ask this instead of a resolver, so the address that was judged is the one that is used.
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

/** A connection that never came to be: by the network or by TLS. */
export class ConnectError extends Error {
  constructor(cause: Error) {
    super('no connection', { cause });
  }
}
