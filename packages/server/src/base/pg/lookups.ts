import { Socket } from 'node:net';
import pg from 'pg';
import { LookupBatch, type LookupRow, type Question, type Shape } from './lookup-batch.ts';
import { type NamedStatement, readyToSend } from './wire.ts';

/** How values of a type are read, as the driver is told. */
export interface TypeParsers {
  getTypeParser: (oid: number, format?: string) => (text: string) => unknown;
}

/** A statement that is prepared under its name when it is first asked on a connection. */
export type LookupQuery = NamedStatement & { text: string };

export interface Lookups {
  /** Sends a query behind whatever else is under way, without waiting for it, and gives its rows. */
  send(query: LookupQuery): Promise<LookupRow[]>;
  close(): Promise<void>;
}

/** One connection on which queries follow one another without waiting for answers. */
interface Lane {
  client: pg.Client;
  socket: Socket;
  connected: Promise<unknown>;
  /** Whether what is asked in this turn of the event loop is being gathered. */
  gathering: boolean;
  gathered: Question[];
  /** By name, of the statements that were answered on this connection before. */
  shapes: Map<string, Shape>;
}

/**
 * A few connections that all requests share for look-ups by key, which the database answers at once. What is asked
 * in one turn of the event loop leaves as one message and comes back as one answer, where a pool would give each question
 * a connection, a write and an answer of its own: asking is most of what a look-up costs. What a connection has never
 * been asked goes alone once, which prepares it and tells its columns.
 *
 * What was under way on a connection that is lost is asked once more, on one opened since: a look-up changes nothing,
 * and the other connections may have been lost with it, unnoticed yet.
 */
export function openLookups(
  { types, ...config }: pg.ClientConfig & { types: TypeParsers },
  lanes: number,
  on: { lost: (error: Error) => void; isLost: (error: unknown) => boolean },
): Lookups {
  const open: (Lane | undefined)[] = Array.from({ length: lanes }, () => undefined);
  /** What is asked in one turn of the event loop goes to one of them, in the next turn to the next. */
  let slot = 0;

  function connect(slot: number): Lane {
    const socket = new Socket();
    const client = new pg.Client({ ...config, types, pipeline: true, stream: () => socket });
    const lane: Lane = {
      client,
      socket,
      connected: client.connect(),
      gathering: false,
      gathered: [],
      shapes: new Map(),
    };
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

  /** Holds back what is asked until this turn of the event loop is over. */
  function gather(lane: Lane): void {
    if (lane.gathering) return;
    lane.gathering = true;
    lane.socket.cork();
    setImmediate(() => {
      lane.gathering = false;
      const questions = lane.gathered.splice(0);
      if (questions.length > 0) lane.client.query(new LookupBatch(questions));
      lane.socket.uncork();
      slot = (slot + 1) % lanes;
    });
  }

  async function askAlone(lane: Lane, query: LookupQuery): Promise<LookupRow[]> {
    gather(lane);
    const { rows, fields } = await lane.client.query<LookupRow>(query);
    lane.shapes.set(query.name, shapeOf(fields));
    return rows;
  }

  const shapeOf = (fields: readonly pg.FieldDef[]): Shape =>
    fields.map(({ name, dataTypeID }) => ({ name, read: types.getTypeParser(dataTypeID, 'text') }));

  async function ask(lane: Lane, query: LookupQuery): Promise<LookupRow[]> {
    await lane.connected;
    const shape = lane.shapes.get(query.name);
    if (shape === undefined) return askAlone(lane, query);
    return new Promise((resolve, reject) => {
      const passedOver = (): void => {
        askAlone(lane, query).then(resolve, reject);
      };
      const question = {
        statement: readyToSend(query),
        shape,
        answered: resolve,
        failed: reject,
        passedOver,
      };
      gather(lane);
      lane.gathered.push(question);
    });
  }

  return {
    async send(query) {
      const mine = slot;
      const lane = open[mine] ?? connect(mine);
      try {
        return await ask(lane, query);
      } catch (error) {
        if (!on.isLost(error)) throw error;
        // Told here before the connection itself says so. Whoever was on it with this one shares the new one.
        if (open[mine] === lane) open[mine] = undefined;
        return ask(open[mine] ?? connect(mine), query);
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
