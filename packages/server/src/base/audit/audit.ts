/**
 * The audit log: every write of the administration and the consoles, with its entry in the same transaction; sign-ins,
 * exports, and secrets that were shown. It never waits for another writer: a worker seals the entries later (ADR 20).
 */
import { insertAuditEntry, insertMerchantAct } from './audit.sql.ts';
import type { Clock } from '../time/clock.ts';
import type { Database, Queryable, Tx, Write } from '../pg/index.ts';
import type { IdSource } from '../ids.ts';
import type { LiveCache } from '../caches/live-cache.ts';
import { originNow } from './origin.ts';

/** One act, as stored in the audit log (D-194). It never contains a secret. */
export interface AuditEntry {
  audit_id: string;
  at: Date;
  /** `user:` and the person's id, `key:` and the id of a named key, the environment's key, `command`, or `anonymous`. */
  actor: string;
  action: string;
  target: string;
  reason: string | null;
  before: unknown;
  after: unknown;
  /** The network address of the request; null for what a command or a worker does. */
  address: string | null;
  /** Names the session of the person, and gives no access; null where there is none. */
  session_id: string | null;
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
  /** The kind of the secret that the answer shows once, if any. It gets a separate entry, `secret.show`. */
  shown?: SecretKind | null;
}

/** What is shown once and cannot be read again. */
export type SecretKind = 'client_secret' | 'notification_secret' | 'export_secret' | 'admin_key';

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
  deps: Pick<AuditDeps, 'clock' | 'ids'>,
  act: Act,
  { target, before, after, shown = null }: Done<unknown, unknown>,
): Promise<void> {
  await recordAct(tx, deps, { ...act, target, before, after });
  if (shown === null) return;
  await recordAct(tx, deps, { ...act, action: 'secret.show', target, after: { secret: shown } });
}

/** An act that changes no setting, or whose session is not the session of the request. */
export interface Recorded extends Act {
  target: string;
  before?: unknown;
  after?: unknown;
  /** The session that the act begins, instead of the one that the request came with. */
  session_id?: string | null;
}

/**
 * Inserts one entry, with the address and the session of the request that is being answered. The session counts for
 * people only: a cookie beside an administration key was not checked.
 */
export async function recordAct(
  db: Queryable,
  deps: Pick<AuditDeps, 'clock' | 'ids'>,
  recorded: Recorded,
): Promise<void> {
  for (const { statement } of actWrites(deps, recorded)) await db.query(statement);
}

/** The writes of `recordAct`, for a transaction that is one statement. */
export function actWrites(
  { clock, ids }: Pick<AuditDeps, 'clock' | 'ids'>,
  { actor, action, reason = null, target, before = null, after = null, session_id }: Recorded,
): Write[] {
  const at = clock.now();
  const origin = originNow();
  const own = actor.startsWith('user:') ? (origin?.session_id() ?? null) : null;
  const audit_id = `al_${ids.ulid(at)}`;
  const merchant_id = origin?.merchant_id() ?? null;
  const entry = insertAuditEntry({
    ...{ audit_id, at, actor, action, target, reason, before, after },
    address: origin?.address ?? null,
    session_id: session_id === undefined ? own : session_id,
  });
  return merchant_id === null ? [entry] : [entry, insertMerchantAct(merchant_id, audit_id)];
}
