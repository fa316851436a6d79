import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Which way bytes go on a link. */
export type Direction = 'to the database' | 'from the database';

/** A way to a database that a test can break. */
export interface FaultyLink {
  /** The database's address by this way. */
  url: string;
  /** Bytes vanish from now on, as if the other machine were gone, on all connections and on new ones. */
  silence(...directions: Direction[]): void;
  /** Lets new connections work again. Those that were silent stay so. */
  restore(): void;
  /** Ends all connections, and those that are opened until `restore`. */
  cut(): void;
  /** Ends all connections that are opened until `restore`, as a pooler does that has no more to give. */
  refuse(): void;
  /**
   * The next message to the database that contains a text arrives, and its answer is lost with the connection. Of several
   * texts, messages with the earlier ones come on the same connection before.
   *
   * @param andThen what happens to the link meanwhile
   * @returns how many answers were lost so far
   */
  loseAnswerTo(text: string | readonly string[], andThen?: () => void): () => number;
  /** How many connections were opened on it, those included that were ended at once. */
  opened(): number;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  silent: Set<Direction>;
  /** How many of the texts came on it whose last loses its answer. */
  heard: number;
  /** Whether the next answer is lost. */
  losing: boolean;
}

/** Opens a link to the database of an address. */
export async function openFaultyLink(database_url: string): Promise<FaultyLink> {
  const target = new URL(database_url);
  const host = decodeURIComponent(target.hostname);
  const database = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${target.port}` }
    : { host, port: Number(target.port) };
  const pairs = new Set<Pair>();
  let silent: Direction[] = [];
  let isCut = false;
  let lose: { texts: readonly string[]; andThen: () => void } | null = null;
  let lost = 0;
  let opened = 0;

  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far.destroy();
  };
  const server = createServer((near) => {
    opened += 1;
    const far = connect(database);
    const pair: Pair = { near, far, silent: new Set(silent), heard: 0, losing: false };
    pairs.add(pair);
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        // A silent link does not tell that the other side is gone.
        if (pair.silent.size === 0 || socket === near) end(pair);
      });
    }
    near.on('data', (bytes) => {
      if (pair.silent.has('to the database')) return;
      const next = lose?.texts[pair.heard];
      if (next !== undefined && bytes.includes(next)) pair.heard += 1;
      if (lose !== null && pair.heard === lose.texts.length) {
        pair.losing = true;
        lose.andThen();
        lose = null;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (pair.losing) {
        lost += 1;
        end(pair);
      } else if (!pair.silent.has('from the database')) near.write(bytes);
    });
    if (isCut) end(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    silence(...directions) {
      silent = directions;
      for (const pair of pairs) for (const direction of directions) pair.silent.add(direction);
    },
    restore() {
      silent = [];
      isCut = false;
    },
    cut() {
      isCut = true;
      for (const pair of [...pairs]) end(pair);
    },
    refuse() {
      isCut = true;
    },
    loseAnswerTo(text, andThen = () => undefined) {
      lost = 0;
      for (const pair of pairs) pair.heard = 0;
      lose = { texts: [text].flat(), andThen };
      return () => lost;
    },
    opened: () => opened,
    async close() {
      for (const pair of [...pairs]) end(pair);
      await new Promise((done) => server.close(done));
    },
  };
}
