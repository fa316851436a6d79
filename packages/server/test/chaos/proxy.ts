import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a proxy does with bytes: passes them, refuses connections, or lets bytes of a direction vanish for now. */
export type Flow = 'open' | 'cut' | 'silent to' | 'silent from' | 'silent';

/**
 * A TCP proxy between one process and what it depends on. While it is silent, connections stay and no byte passes, as
 * when packets vanish; afterwards held bytes arrive, as TCP repeats them.
 */
export interface Proxy {
  port: number;
  flow(flow: Flow): void;
  /** Ends every connection. */
  drop(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
}

/** @param target the port that it leads to; a function is asked for each connection */
export async function openProxy(target: number | (() => number)): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let flow: Flow = 'open';
  const apply = ({ near, far }: Pair): void => {
    if (flow === 'silent' || flow === 'silent to') near.pause();
    else near.resume();
    if (flow === 'silent' || flow === 'silent from') far.pause();
    else far.resume();
  };
  const drop = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  const server = createServer({ allowHalfOpen: false }, (near) => {
    if (flow === 'cut') {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const pair = { near, far: connect(typeof target === 'number' ? target : target(), '127.0.0.1') };
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    apply(pair);
  });
  await listen(server);
  return {
    port: portOf(server),
    flow(next) {
      flow = next;
      if (flow === 'cut') drop();
      for (const pair of pairs) apply(pair);
    },
    drop,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      drop();
      await closed;
    },
  };
}

function join({ near, far }: Pair, ended: () => void): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.setNoDelay(true);
    one.on('data', (chunk) => {
      if (!other.write(chunk)) {
        one.pause();
        other.once('drain', () => one.resume());
      }
    });
    one.on('error', () => undefined);
    one.on('end', () => other.end());
    one.on('close', () => {
      other.destroy();
      ended();
    });
  }
}

export async function listen(server: Server, port = 0): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
