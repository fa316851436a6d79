import { readFileSync } from 'node:fs';
import type { Dispatcher, Pool } from 'undici';
import { type AttemptOutcome, failedBy, outcomeOfStatus } from './delivery-outcome.ts';
import { ConnectError, openPool, trusting } from './pinned-pool.ts';
import { destinationOf } from '../addresses/index.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const userAgent = `Paydesk/${version}`;

/** How much of an answer's body is read so that the connection can be used again (D-152). */
const drainedBytes = 16 * 1024;

/** Pools kept while nobody uses them; the connections in them close by themselves. */
const maxIdlePools = 256;

export interface Post {
  url: URL;
  /** The vetted address: the connection goes here and nowhere else, whatever the name says meanwhile. */
  address: string;
  headers: Record<string, string>;
  body: Buffer;
  timeout_ms: number;
}

export interface Posted {
  /** Known as soon as the response headers are there, or it failed. */
  outcome: Promise<AttemptOutcome>;
  /** Fulfilled when the connection is free again or gone: at most `timeout_ms` after the start. */
  released: Promise<void>;
}

export interface HttpSender {
  post(request: Post): Posted;
  /** Drops every connection. */
  close(): Promise<void>;
}

interface PooledAddress {
  pool: Pool;
  in_use: number;
}

/**
 * Sends over HTTPS/1.1 without proxies, redirects or compression. Connections are kept alive per host, port and vetted
 * address; the certificate must be valid for the host name.
 *
 * @param ca PEM certificates trusted beside the built-in ones, or null
 * @param connections at most so many to one vetted address
 */
export function createHttpSender({
  ca,
  connections,
}: {
  ca: string | null;
  connections: number;
}): HttpSender {
  const secureContext = trusting(ca);
  const pools = new Map<string, PooledAddress>();

  function poolFor(destination: string, address: string, timeout_ms: number): PooledAddress {
    const key = `${destination}@${address}`;
    let pooled = pools.get(key);
    if (pooled === undefined) {
      dropIdlePools(pools);
      pooled = {
        pool: openPool(destination, { address, secureContext, connections, timeout_ms }),
        in_use: 0,
      };
    }
    // Put in anew at each use: the map stays in the order of use, so the first idle one is the oldest.
    pools.delete(key);
    pools.set(key, pooled);
    return pooled;
  }

  return {
    post(request) {
      const pooled = poolFor(destinationOf(request.url), request.address, request.timeout_ms);
      pooled.in_use++;
      const posted = dispatch(pooled.pool, request);
      const released = posted.released.finally(() => pooled.in_use--);
      return { outcome: posted.outcome, released };
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map(({ pool }) => pool.destroy()));
    },
  };
}

function dropIdlePools(pools: Map<string, PooledAddress>): void {
  for (const [key, { pool, in_use }] of pools) {
    if (pools.size < maxIdlePools) return;
    if (in_use > 0) continue;
    pools.delete(key);
    void pool.close();
  }
}

const networkCodes = /^(E(CONN|HOST|NET|ADDR|PIPE|TIMEDOUT|ACCES|PERM)|UND_ERR_(SOCKET|CLOSED|DESTROYED))/;

/** What the transport calls an answer that no client could read: no HTTP, or headers without end. */
const notHttp: readonly string[] = ['HTTPParserError', 'HeadersOverflowError'];

/** The vocabulary of D-147 for an error of the transport. */
function outcomeOfError(error: Error): AttemptOutcome {
  const cause = error instanceof ConnectError ? (error.cause as NodeJS.ErrnoException) : null;
  if (cause === null) return failedBy(notHttp.includes(error.name) ? 'http_error' : 'connect_failed');
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return failedBy('timeout');
  return failedBy(networkCodes.test(cause.code ?? '') ? 'connect_failed' : 'tls_failed');
}

function dispatch(pool: Pool, { url, headers, body, timeout_ms }: Post): Posted {
  let settle!: (outcome: AttemptOutcome) => void;
  let release!: () => void;
  const outcome = new Promise<AttemptOutcome>((resolve) => (settle = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let controller: Dispatcher.DispatchController | undefined;
  let expired = false;
  let drained = 0;

  // One timer for everything: connecting, handshake, sending, waiting, dripped headers, endless bodies.
  const timer = setTimeout(() => {
    expired = true;
    settle(failedBy('timeout'));
    controller?.abort(new Error('time is up'));
  }, timeout_ms);

  pool.dispatch(
    {
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'content-length': body.length.toString(), 'user-agent': userAgent },
      body,
    },
    {
      onRequestStart(started) {
        controller = started;
        // The connection was ready too late: nothing is sent that nobody waits for.
        if (expired) started.abort(new Error('time is up'));
      },
      onResponseStart(_, http_status) {
        // Informational answers come before the one that counts.
        if (http_status >= 200) settle(outcomeOfStatus(http_status));
      },
      onResponseData(current, chunk) {
        drained += chunk.length;
        if (drained > drainedBytes) current.abort(new Error('the body is longer than anybody reads'));
      },
      onResponseEnd() {
        clearTimeout(timer);
        release();
      },
      onResponseError(_, error) {
        clearTimeout(timer);
        settle(outcomeOfError(error));
        release();
      },
    },
  );
  return { outcome, released };
}
