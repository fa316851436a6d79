/** Posts notifications over HTTPS, and keeps connections to receivers alive. */
import type { Dispatcher, Pool } from 'undici';
import { release } from '../../base/release.ts';
import { type DeliveryOutcome, failedBy, outcomeOfStatus } from './delivery-outcome.ts';
import { ConnectError, loadPools, trusting } from './pinned-pool.ts';
import { destinationOf } from '../../base/input/https-url.ts';

export const userAgent = `Paydesk/${release}`;

/** How much of a response body is read, so that the connection can be used again (D-152). */
const drainedBytes = 16 * 1024;

/** How many informational responses (1xx) may come before the answer. An endless row of them keeps a processor busy. */
export const maxInformational = 1_000;

/** Maximum number of unused pools that are kept. Their connections close by themselves. */
const maxIdlePools = 256;

export interface Post {
  url: URL;
  /** The checked address. The connection goes here, even where the name resolves to another address by now. */
  address: string;
  headers: Record<string, string>;
  body: Buffer;
  timeout_ms: number;
}

export interface Posted {
  /** Resolves with the response headers or the failure. */
  outcome: Promise<DeliveryOutcome>;
  /** Resolves when the connection is free again or closed, at most `timeout_ms` after the start, or `connect_ms`. */
  released: Promise<void>;
}

export interface HttpSender {
  post(request: Post): Posted;
  /** Closes every connection. */
  close(): Promise<void>;
}

interface PooledAddress {
  pool: Pool;
  in_use: number;
}

/**
 * Sends POSTs over HTTPS with HTTP/1.1, without proxies, redirects or compression (R-276, D-153). Connections
 * are kept alive for each host, port and checked address. The certificate must be valid for the host name.
 *
 * @param ca additional trusted certificates in PEM, or null
 * @param connections maximum number of connections to one checked address
 * @param connect_ms time limit of each connection, TLS included. Posts share connections, so no post sets it: one that had
 *   little time left would leave the next ones as little
 */
export async function createHttpSender({
  ca,
  connections,
  connect_ms,
}: {
  ca: string | null;
  connections: number;
  connect_ms: number;
}): Promise<HttpSender> {
  const openPool = await loadPools();
  const secureContext = trusting(ca);
  const pools = new Map<string, PooledAddress>();

  function poolFor(destination: string, address: string): PooledAddress {
    const key = `${destination}@${address}`;
    let pooled = pools.get(key);
    if (pooled === undefined) {
      dropIdlePools(pools);
      pooled = {
        pool: openPool(destination, { address, secureContext, connections, timeout_ms: connect_ms }),
        in_use: 0,
      };
    }
    // Each use moves the pool to the end of the map, so the first idle pool is the one used longest ago.
    pools.delete(key);
    pools.set(key, pooled);
    return pooled;
  }

  return {
    post(request) {
      const pooled = poolFor(destinationOf(request.url), request.address);
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

/** Names of transport errors for an unreadable response: no HTTP, or too long headers. */
const notHttp: readonly string[] = ['HTTPParserError', 'HeadersOverflowError'];

/** The outcome for an error of the transport (D-147). */
function outcomeOfError(error: Error): DeliveryOutcome {
  const cause = error instanceof ConnectError ? (error.cause as NodeJS.ErrnoException) : null;
  if (cause === null) return failedBy(notHttp.includes(error.name) ? 'http_error' : 'connect_failed');
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return failedBy('timeout');
  return failedBy(networkCodes.test(cause.code ?? '') ? 'connect_failed' : 'tls_failed');
}

function dispatch(pool: Pool, { url, headers, body, timeout_ms }: Post): Posted {
  let settle!: (outcome: DeliveryOutcome) => void;
  let release!: () => void;
  const outcome = new Promise<DeliveryOutcome>((resolve) => (settle = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let controller: Dispatcher.DispatchController | undefined;
  let expired = false;
  let drained = 0;
  let informational = 0;

  const expire = (): void => {
    expired = true;
    settle(failedBy('timeout'));
    controller?.abort(new Error('time is up'));
  };
  // One timer for all: connection, handshake, request, slow headers and endless bodies. What has come meanwhile is
  // read first: after a process stood still, the timer is called before the answers that wait (D-764).
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (last = setImmediate(expire)), timeout_ms);
  const stopTimer = (): void => {
    clearTimeout(timer);
    clearImmediate(last);
  };

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
        // The connection was ready too late, so nothing is sent.
        if (expired) started.abort(new Error('time is up'));
      },
      onResponseStart(current, http_status) {
        // The status decides, the body does not matter (R-274, D-152). Informational responses (1xx) come first.
        if (http_status >= 200) settle(outcomeOfStatus(http_status));
        else if (++informational > maxInformational) {
          settle(failedBy('http_error'));
          current.abort(new Error('no answer after too many informational responses'));
        }
      },
      onResponseData(current, chunk) {
        drained += chunk.length;
        if (drained > drainedBytes) current.abort(new Error('the response body is too long'));
      },
      onResponseEnd() {
        stopTimer();
        release();
      },
      onResponseError(_, error) {
        stopTimer();
        settle(outcomeOfError(error));
        release();
      },
    },
  );
  return { outcome, released };
}
