/** The connections for look-ups, which all requests share. */
import type pg from 'pg';
import { type Driver, DriverClient } from './client.ts';
import { isUnreachable } from './db-errors.ts';
import { sendLimited } from './send-limited.ts';
import { LookupBatch, type LookupRow, type Question, type Shape } from './lookup-batch.ts';
import { type NamedStatement, readyToSend } from './wire.ts';

/** Gives the function that reads values of a type, as the driver expects it. */
export interface TypeParsers {
  getTypeParser: (oid: number, format?: string) => (text: string) => unknown;
}

/** A statement that a connection prepares under its name at the first use. */
export type LookupQuery = NamedStatement & { text: string };

export interface Lookups {
  /** Sends a query without waiting for those before it, and gives its rows. */
  send(query: LookupQuery): Promise<LookupRow[]>;
  /** Asks on each connection, and opens those that are not open. Rejects where one of them does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One connection that requests share: queries follow one another without waiting for answers. It is not part of the
 * pool, so look-ups get answers even when all connections of the pool are in use (D-409).
 */
interface Lane {
  client: DriverClient;
  connected: Promise<unknown>;
  /** Whether questions of this turn of the event loop are being collected. */
  collecting: boolean;
  collected: Question[];
  /** The columns of the statements that this connection has answered, by name. */
  shapes: Map<string, Shape>;
}

/** What all lanes have in common. */
interface LaneSettings {
  driver: Driver;
  settings: pg.ClientConfig;
  types: TypeParsers;
  /** Called when the questions of a turn have been sent. */
  onSent: () => void;
}

export interface LookupOptions {
  settings: pg.ClientConfig;
  types: TypeParsers;
  /** Number of connections. */
  lanes: number;
  /** Called with errors on idle connections. */
  onLost: (error: Error) => void;
}

/**
 * A few connections that all requests share for look-ups by key, which the database answers at once. The questions of
 * one turn of the event loop leave as one message and return as one answer; a pool would spend a connection, a write and
 * an answer on each. A statement that is new to a connection is sent alone once, which prepares it and tells its columns.
 *
 * Invariant: each question gets its own answer or its own error. If a connection is lost, its questions are asked once
 * more on a new connection: a look-up changes nothing.
 */
export function openLookups(driver: Driver, { settings, types, lanes, onLost }: LookupOptions): Lookups {
  const open: (Lane | undefined)[] = Array.from({ length: lanes }, () => undefined);
  /** The lane for the questions of this turn of the event loop; the next turn uses the next lane. */
  let slot = 0;
  const shared: LaneSettings = {
    driver,
    settings,
    types,
    onSent: () => {
      slot = (slot + 1) % lanes;
    },
  };

  function connect(place: number): Lane {
    const lane = openLane(shared);
    const drop = (): void => {
      if (open[place] === lane) open[place] = undefined;
    };
    lane.connected.catch(drop);
    lane.client.on('error', (error) => {
      drop();
      onLost(error);
    });
    lane.client.on('end', drop);
    open[place] = lane;
    return lane;
  }

  return {
    async send(query) {
      const place = slot;
      const lane = open[place] ?? connect(place);
      try {
        return await ask(lane, query, shared);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        // A lost lane is dropped here already, before its own event arrives. Its other questions share the new lane.
        if (open[place] === lane) open[place] = undefined;
        return ask(open[place] ?? connect(place), query, shared);
      }
    },
    async check() {
      await Promise.all(
        open.map(async (_, place) => {
          const { client, connected } = open[place] ?? connect(place);
          await connected;
          await client.query('SELECT 1');
        }),
      );
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

function openLane({ driver, settings, types }: LaneSettings): Lane {
  const client = new DriverClient(driver, { ...settings, types });
  return { client, connected: client.connect(), collecting: false, collected: [], shapes: new Map() };
}

/** Holds back the questions of a lane until this turn of the event loop is over. */
function collect(lane: Lane, onSent: () => void): void {
  if (lane.collecting) return;
  lane.collecting = true;
  lane.client.socket.cork();
  setImmediate(() => {
    lane.collecting = false;
    const questions = lane.collected.splice(0);
    if (questions.length > 0) lane.client.query(new LookupBatch(questions, lane.client.limitStatement));
    lane.client.socket.uncork();
    onSent();
  });
}

async function ask(lane: Lane, query: LookupQuery, settings: LaneSettings): Promise<LookupRow[]> {
  await lane.connected;
  const shape = lane.shapes.get(query.name);
  if (shape === undefined) return askAlone(lane, query, settings);
  return new Promise((resolve, reject) => {
    const passedOver = (): void => {
      askAlone(lane, query, settings).then(resolve, reject);
    };
    const question = {
      statement: readyToSend(query),
      shape,
      answered: resolve,
      failed: reject,
      passedOver,
    };
    collect(lane, settings.onSent);
    lane.collected.push(question);
  });
}

/** Asks by the driver itself: it prepares the statement and tells the columns. */
async function askAlone(
  lane: Lane,
  query: LookupQuery,
  { types, onSent }: LaneSettings,
): Promise<LookupRow[]> {
  collect(lane, onSent);
  const { rows, fields } = await sendLimited(lane.client, () => lane.client.query<LookupRow>(query));
  const shape = fields.map(({ name, dataTypeID }) => ({
    name,
    read: types.getTypeParser(dataTypeID, 'text'),
  }));
  lane.shapes.set(query.name, shape);
  return rows;
}
