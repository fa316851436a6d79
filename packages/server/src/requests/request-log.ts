/** Records the API requests of merchants' clients. */
import { Counter, type Registry } from 'prom-client';
import { type Clock, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { IdSource } from '../base/ids.ts';
import { type AnsweredRequest, insertRequests, type StoredRequest } from './request.sql.ts';

/**
 * The recent requests of merchants' clients, so that merchants can look them up by id. Invariant: no request waits
 * for its note. Notes are collected in memory and written together; where the database is slow or down, notes are
 * lost and counted.
 */
export interface RequestLog {
  /** Collects a request in memory. */
  note: (request: AnsweredRequest) => void;
  /** Writes what is collected by now; returns how many. Throws where the database fails: those notes are lost. */
  flush(): Promise<number>;
  /** Adds the figures to what `/metrics` shows. */
  register(registry: Registry): void;
}

export interface RequestLogDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  /** The merchant of a client; null where it has none. */
  merchantOf: (client_id: string) => Promise<string | null>;
}

/** Maximum number of notes in memory: some seconds of a process under full load. */
const maxHeld = 10_000;
/** Maximum number of notes in one statement, so that building it does not delay requests. */
const batchSize = 500;
const maxPathLength = 512;

type Held = AnsweredRequest & { client_id: string; answered_at: Date };

/** @param most maximum number of notes in memory */
export function createRequestLog({ db, clock, ids, merchantOf }: RequestLogDeps, most = maxHeld): RequestLog {
  const held: Held[] = [];
  const lost = new Counter({
    name: 'paydesk_request_notes_lost_total',
    help: 'Requests that are missing in the merchants’ request lists, by reason.',
    labelNames: ['reason'],
    registers: [],
  });
  // D-1371
  for (const reason of ['full', 'failed']) lost.inc({ reason }, 0);

  const rowOf = ({ answered_at, ...request }: Held, merchant_id: string): StoredRequest => ({
    ...request,
    merchant_id,
    seen_id: ids.ulid(answered_at),
    at: later(answered_at, -request.duration_ms),
    path: request.path.slice(0, maxPathLength),
    field: request.field?.slice(0, maxPathLength) ?? null,
    duration_ms: Math.round(request.duration_ms),
  });

  /** The rows to write, in the order of the answers. Clients without a merchant are left out. */
  async function rowsOf(taken: readonly Held[]): Promise<StoredRequest[]> {
    const merchants = await Promise.all(taken.map(({ client_id }) => merchantOf(client_id)));
    return taken.flatMap((request, i) => {
      const merchant_id = merchants[i] ?? null;
      return merchant_id === null ? [] : [rowOf(request, merchant_id)];
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
          const stored = await rowsOf(taken);
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
