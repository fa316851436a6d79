import { insertAuditEntry } from './audit.sql.ts';
import type { Clock } from '../time/clock.ts';
import type { Database, Tx } from '../pg/index.ts';
import type { IdSource } from '../ids.ts';
import type { LiveCache } from '../live/live-cache.ts';

/** One write of the administration or of a console, as the audit log keeps it (D-194). Never holds a secret. */
export interface AuditEntry {
  audit_id: string;
  at: Date;
  /** `key`, or `user:` and the person's id. */
  actor: string;
  action: string;
  target: string;
  reason: string | null;
  before: unknown;
  after: unknown;
}

/** Who does what, and why where that is demanded. */
export interface Act {
  actor: string;
  action: string;
  reason?: string | null;
}

/** What a write did: to what, from what, to what; `before` is null where something came into being. */
export interface Done<B, A> {
  target: string;
  before: B;
  after: A;
}

export interface AuditDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  cache: LiveCache;
}

/**
 * Runs a write together with its entry in the audit log, in one transaction. Where `work` answers null nothing was
 * written, and nothing is logged.
 */
export function audited<D extends Done<unknown, unknown> | null>(
  deps: Omit<AuditDeps, 'cache'>,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> {
  return deps.db.transaction(async (tx) => {
    const done = await work(tx);
    if (done !== null) await log(tx, deps, act, done);
    return done;
  });
}

/**
 * An audited write of configuration that processes keep in their caches: all of them hear of it, and this one has
 * dropped what it held before the caller is answered (D-169).
 */
export async function auditedChange<D extends Done<unknown, unknown>>(
  deps: AuditDeps,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> {
  const done = await audited(deps, act, async (tx) => {
    const result = await work(tx);
    await deps.cache.announce(tx);
    return result;
  });
  deps.cache.clear();
  return done;
}

async function log(
  tx: Tx,
  { clock, ids }: Pick<AuditDeps, 'clock' | 'ids'>,
  { actor, action, reason }: Act,
  { target, before, after }: Done<unknown, unknown>,
): Promise<void> {
  const at = clock.now();
  const audit_id = `al_${ids.ulid(at)}`;
  await insertAuditEntry(tx, { audit_id, at, actor, action, target, reason: reason ?? null, before, after });
}
