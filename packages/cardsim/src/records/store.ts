/** The state of the simulator, and how it is saved to a file. */
import { mkdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type {
  DisputeRecord,
  EventRecord,
  FileRecord,
  IdempotencyRecord,
  PaymentRecord,
  RefundRecord,
  SessionRecord,
  WebhookTarget,
} from './records.ts';

/** All state that outlives a request. Maps keep the order of insertion, which is the order of time. */
export type Store = {
  sessions: Map<string, SessionRecord>;
  payments: Map<string, PaymentRecord>;
  refunds: Map<string, RefundRecord>;
  disputes: Map<string, DisputeRecord>;
  files: Map<string, FileRecord>;
  events: Map<string, EventRecord>;
  idempotency: Map<string, IdempotencyRecord>;
  targets: Map<string, WebhookTarget>;
  /** Identifiers of held events, oldest first; null if webhooks are not held. */
  held: string[] | null;
  offset_seconds: number;
};

export function emptyStore(): Store {
  return {
    sessions: new Map(),
    payments: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    files: new Map(),
    events: new Map(),
    idempotency: new Map(),
    targets: new Map(),
    held: null,
    offset_seconds: 0,
  };
}

/** The values of a map that belong to one account, newest first. */
export function newestFirst<T extends { account: string }>(map: Map<string, T>, account: string): T[] {
  return Array.from(map.values())
    .filter((record) => record.account === account)
    .reverse();
}

/** Saves the store to a JSON file, or does nothing. */
export type Persistence = {
  /** Resolves when everything that the store contained at the time of the call is on disk. */
  save: () => Promise<void>;
};

export const memoryOnly: Persistence = { save: () => Promise.resolve() };

/**
 * Reads a saved store. Returns an empty store if the file does not exist.
 *
 * @throws Error with one sentence if the file cannot be read or is not a saved state
 */
export function loadStore(file: string): Store {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true });
    return emptyStore();
  }
  return decodeStore(text, file);
}

/**
 * Writes the whole store atomically: it writes a temporary file and renames it. Calls during a write share
 * the next write.
 */
export function fileStore(store: Store, file: string): Persistence {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function write(): Promise<void> {
    const temporary = `${file}.${process.pid}.tmp`;
    // The file holds webhook secrets: only its owner may read it.
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(encodeStore(store));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  }

  function start(): Promise<void> {
    const current = write().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  }

  return {
    save: () => {
      if (running === undefined) return start();
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
  };
}

const format = 'paydesk-cardsim-state/1';

// Amounts become strings with a prefix that no request contains by accident.
const bigint_mark = '\u0000bigint:';

function encodeStore(store: Store): string {
  return JSON.stringify({ format, ...store }, (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${bigint_mark}${value}`;
    return value instanceof Map ? Array.from(value) : value;
  });
}

function decodeStore(text: string, file: string): Store {
  try {
    const saved = JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(bigint_mark)
        ? BigInt(value.slice(bigint_mark.length))
        : value,
    ) as { [member: string]: unknown };
    if (saved['format'] !== format || typeof saved['offset_seconds'] !== 'number') throw new TypeError();
    return {
      sessions: savedMap(saved['sessions']),
      payments: savedMap(saved['payments']),
      refunds: savedMap(saved['refunds']),
      disputes: savedMap(saved['disputes']),
      // States that were saved before there were files have none.
      files: savedMap(saved['files'] ?? []),
      events: savedMap(saved['events']),
      idempotency: savedMap(saved['idempotency']),
      targets: savedMap(saved['targets']),
      held: Array.isArray(saved['held']) ? saved['held'].map(String) : null,
      offset_seconds: saved['offset_seconds'],
    };
  } catch {
    throw new Error(`${file} is not a saved state of this simulator`);
  }
}

function savedMap<T>(entries: unknown): Map<string, T> {
  if (!Array.isArray(entries)) throw new TypeError();
  return new Map(entries as [string, T][]);
}
