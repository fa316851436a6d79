import { Socket } from 'node:net';
import pg from 'pg';

export interface Lookups {
  /** Sends a query behind whatever else is under way, without waiting for it. */
  send<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>>;
  close(): Promise<void>;
}

/** One connection on which queries follow one another without waiting for answers. */
interface Lane {
  client: pg.Client;
  socket: Socket;
  connected: Promise<unknown>;
  corked: boolean;
}

/**
 * A few connections that all requests share for look-ups by key, which the database answers at once. What is asked
 * in one turn of the event loop leaves in one write per connection, where a pool would give each question a
 * connection and a write of its own: asking is most of what a look-up costs.
 *
 * What was under way on a connection that is lost is asked once more, on one opened since: a look-up changes nothing,
 * and the other connections may have been lost with it, unnoticed yet.
 */
export function openLookups(
  config: pg.ClientConfig,
  lanes: number,
  on: { lost: (error: Error) => void; isLost: (error: unknown) => boolean },
): Lookups {
  const open: (Lane | undefined)[] = Array.from({ length: lanes }, () => undefined);
  /** What is asked in one turn of the event loop goes to one of them, in the next turn to the next. */
  let slot = 0;

  function connect(slot: number): Lane {
    const socket = new Socket();
    const client = new pg.Client({ ...config, pipeline: true, stream: () => socket });
    const lane: Lane = { client, socket, connected: client.connect(), corked: false };
    const drop = (): void => {
      if (open[slot] === lane) open[slot] = undefined;
    };
    lane.connected.catch(drop);
    client.on('error', (error) => {
      drop();
      on.lost(error);
    });
    client.on('end', drop);
    open[slot] = lane;
    return lane;
  }

  /** Holds back what is written until this turn of the event loop is over. */
  function gather(lane: Lane): void {
    if (lane.corked) return;
    lane.corked = true;
    lane.socket.cork();
    setImmediate(() => {
      lane.corked = false;
      lane.socket.uncork();
      slot = (slot + 1) % lanes;
    });
  }

  async function ask<R extends pg.QueryResultRow>(
    lane: Lane,
    query: pg.QueryConfig,
  ): Promise<pg.QueryResult<R>> {
    await lane.connected;
    gather(lane);
    return lane.client.query<R>(query);
  }

  return {
    async send<R extends pg.QueryResultRow>(query: pg.QueryConfig) {
      const mine = slot;
      const lane = open[mine] ?? connect(mine);
      try {
        return await ask<R>(lane, query);
      } catch (error) {
        if (!on.isLost(error)) throw error;
        // Told here before the connection itself says so. Whoever was on it with this one shares the new one.
        if (open[mine] === lane) open[mine] = undefined;
        return ask<R>(open[mine] ?? connect(mine), query);
      }
    },
    async close() {
      await Promise.all(
        open.map(async (lane) => {
          await lane?.client.end().catch(() => undefined);
        }),
      );
    },
  };
}
