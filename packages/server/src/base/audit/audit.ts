/** The audit log: every write of the administration and the consoles, with its entry in the same transaction. */
import { insertAuditEntry } from './audit.sql.ts';
import type { Clock } from '../time/clock.ts';
import type { Database, Tx } from '../pg/index.ts';
import type { IdSource } from '../ids.ts';
import type { LiveCache } from '../live/live-cache.ts';

/** One write of the administration or a console, as stored in the audit log (D-194). It never contains a secret. */
export interface AuditEntry {
  audit_id: string;
  at: Date;
  /** `user:` and the person's id, `key:` and the id of a named key, or the environment's key. */
  actor: string;
  action: string;
  target: string;
  reason: string | null;
  before: unknown;
  after: unknown;
}

/** Who does what, and the reason if one is required. */
export interface Act {
  actor: string;
  action: string;
  reason?: string | null;
}

/** The result of a write: its target and the values before and after. `before` is null if the target is new. */
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
 * Runs a write and inserts its entry in the audit log, in one transaction. If `work` returns null, it has written
 * nothing, and there is no entry.
 */
export function runAudited<D extends Done<unknown, unknown> | null>(
  deps: Omit<AuditDeps, 'cache'>,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> {
  return deps.db.transaction(async (tx) => {
    const done = await work(tx);
    if (done !== null) await logAct(tx, deps, act, done);
    return done;
  });
}

/**
 * Runs an audited write of cached configuration. All processes are told to drop their caches; this process drops its
 * own before the caller gets the answer (D-169).
 */
export async function changeAudited<D extends Done<unknown, unknown>>(
  deps: AuditDeps,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> {
  const done = await runAudited(deps, act, async (tx) => {
    const result = await work(tx);
    await deps.cache.announce(tx);
    return result;
  });
  deps.cache.clear();
  return done;
}

/** Inserts the entry of one write, for a transaction that does several. */
export async function logAct(
  tx: Tx,
  { clock, ids }: Pick<AuditDeps, 'clock' | 'ids'>,
  { actor, action, reason }: Act,
  { target, before, after }: Done<unknown, unknown>,
): Promise<void> {
  const at = clock.now();
  const audit_id = `al_${ids.ulid(at)}`;
  await insertAuditEntry(tx, { audit_id, at, actor, action, target, reason: reason ?? null, before, after });
}
