import { Counter, type Registry } from 'prom-client';
import { type Clock, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { IdSource } from '../base/ids.ts';
import { insertRequests, type StoredRequest } from './request.sql.ts';

/** A request that was answered, and whose it was. */
export interface AnsweredRequest {
  request_id: string;
  /** The OAuth client that it was authenticated as; null where it was not. */
  client_id: string | null;
  method: string;
  /** As it was registered. */
  route: string;
  /** Without the query, which may hold secrets. */
  path: string;
  status: number;
  /** The code of the answer's error; null where it was none. */
  error: string | null;
  duration_ms: number;
}

/**
 * What merchants' clients have asked of the API lately, so that merchants can look requests up by their ids. Notes are
 * gathered in memory and written together, so that no request waits for them: where the database is slow or away,
 * notes are lost and counted, never requests.
 */
export interface RequestLog {
  note: (request: AnsweredRequest) => void;
  /** Writes what has been gathered by now; says how much. */
  flush(): Promise<number>;
  /** Shows the figures where Prometheus looks. */
  register(registry: Registry): void;
}

export interface RequestLogDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  /** The merchant that a client is bound to; null where there is none. */
  merchantOf: (client_id: string) => Promise<string | null>;
}

/** More are not held: some seconds of a process that answers as fast as it can. */
const mostHeld = 10_000;
/** So many are written by one statement, so that putting it together holds up no request for long. */
const batchSize = 500;
const longestPath = 512;

type Held = AnsweredRequest & { client_id: string; answered_at: Date };

/** @param most how many requests are held until the next flush */
export function createRequestLog(
  { db, clock, ids, merchantOf }: RequestLogDeps,
  most = mostHeld,
): RequestLog {
  const held: Held[] = [];
  const lost = new Counter({
    name: 'paydesk_request_notes_lost_total',
    help: 'Requests of merchants that are missing in what their console lists, by reason.',
    labelNames: ['reason'],
    registers: [],
  });

  const storedOf = ({ answered_at, ...request }: Held, merchant_id: string): StoredRequest => ({
    ...request,
    merchant_id,
    seen_id: ids.ulid(answered_at),
    at: later(answered_at, -request.duration_ms),
    path: request.path.slice(0, longestPath),
    duration_ms: Math.round(request.duration_ms),
  });

  /** In the order in which they were answered. Clients of no merchant have nobody who could look. */
  async function allStored(taken: readonly Held[]): Promise<StoredRequest[]> {
    const merchants = await Promise.all(taken.map(({ client_id }) => merchantOf(client_id)));
    return taken.flatMap((request, i) => {
      const merchant_id = merchants[i] ?? null;
      return merchant_id === null ? [] : [storedOf(request, merchant_id)];
    });
  }

  return {
    note: ({ client_id, ...request }) => {
      if (client_id === null) return;
      if (held.length >= most) lost.inc({ reason: 'full' });
      else held.push({ ...request, client_id, answered_at: clock.now() });
    },
    async flush() {
      let written = 0;
      for (let left = held.length; left > 0; left -= batchSize) {
        const taken = held.splice(0, Math.min(left, batchSize));
        try {
          const stored = await allStored(taken);
          if (stored.length > 0) await insertRequests(db, stored);
          written += stored.length;
        } catch (error) {
          lost.inc({ reason: 'failed' }, taken.length);
          throw error;
        }
      }
      return written;
    },
    register(registry) {
      registry.registerMetric(lost);
    },
  };
}
