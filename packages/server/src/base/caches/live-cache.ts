import { type Database, sql, type Tx } from '../pg/index.ts';

/**
 * Caches configuration that changes slowly: currencies, rates, channels, merchants, clients. Every administrative
 * change increments one version number in its own transaction. A process that sees a new number drops its whole cache.
 * It looks when it is notified, and while it is used also twice a second (D-169).
 */
export interface LiveCache {
  /**
   * Caches the results of a loader until the next change. Concurrent loads of one key share one query. The loader reads
   * through `db.lookups`: a payment that holds a lock reads configuration too, and those that wait for the lock may have
   * every connection of the pool (D-409).
   */
  keyed<K extends string, V>(load: (key: K) => Promise<V>, max?: number): (key: K) => Promise<V>;
  /** Announces a change. Call it inside the transaction of the change. */
  announce(tx: Tx): Promise<void>;
  /** Runs `reload` now and after each change that this process sees. Rejects if the first run fails. */
  onChange(reload: () => Promise<void>): Promise<void>;
  /** Drops the cache of this process. Call it after the commit of a change, before the answer. */
  clear(): void;
  stop(): Promise<void>;
}

const channel = 'paydesk_config';
export const poll_ms = 500;
/** A cache that was not used for `unused_ms` is checked less often, as long as notifications arrive (D-420). */
const unused_ms = 10_000;
const unusedPoll_ms = 2_000;
/**
 * If the version is unknown for this long, the cache is not used. Counted from the question: its answer may have waited long,
 * in a process that stood still (D-1279).
 */
const trust_ms = 1_500;

export async function liveCache(db: Database): Promise<LiveCache> {
  const maps = new Set<Map<string, unknown>>();
  const reloads: (() => Promise<void>)[] = [];
  let seen_at = performance.now();
  let seen = await currentVersion(db);
  let polling = false;
  let used_at = performance.now();

  function clear(): void {
    for (const map of maps) map.clear();
  }

  async function check(): Promise<void> {
    if (polling) return;
    polling = true;
    const asked_at = performance.now();
    try {
      const version = await currentVersion(db);
      if (version !== seen) {
        clear();
        // Before the version counts as seen: a reload that fails is tried again at the next poll.
        for (const reload of reloads) await reload();
      }
      seen = version;
      seen_at = asked_at;
    } catch {
      // The next poll tries again. Until one succeeds, `isFresh` turns the cache off.
    } finally {
      polling = false;
    }
  }

  const isFresh = (): boolean => performance.now() - seen_at < trust_ms;
  function poll(): void {
    const now = performance.now();
    // A timer may fire a little early.
    const isSoon = now - seen_at < unusedPoll_ms - poll_ms / 2;
    if (!(isSoon && now - used_at >= unused_ms && db.hears())) void check();
  }

  const timer = setInterval(poll, poll_ms);
  timer.unref();
  const stopListening = await db.listen(channel, () => void check());

  return {
    keyed<K extends string, V>(load: (key: K) => Promise<V>, max = 10_000) {
      const map = new Map<string, Promise<V>>();
      maps.add(map);
      return (key: K) => {
        used_at = performance.now();
        const isTrusted = isFresh();
        if (!isTrusted) void check();
        const known = isTrusted ? map.get(key) : undefined;
        if (known !== undefined) return known;
        const loading = load(key).catch((error: unknown) => {
          if (map.get(key) === loading) map.delete(key);
          throw error;
        });
        if (map.size >= max) map.clear();
        // Stored before the load ends: a change during the load then clears it, so an old value is not kept.
        map.set(key, loading);
        return loading;
      };
    },
    async onChange(reload) {
      reloads.push(reload);
      // A change that is seen meanwhile may be newer than what this one has read.
      for (let version: bigint | null = null; version !== seen;) {
        version = seen;
        await reload();
      }
    },
    announce: announceChange,
    clear,
    async stop() {
      clearInterval(timer);
      await stopListening();
    },
  };
}

/** Lets every process drop what it has cached, when the transaction commits. */
export async function announceChange(tx: Tx): Promise<void> {
  await tx.query(sql`UPDATE config_version SET version = version + 1 WHERE singleton`);
  await tx.query(sql`SELECT pg_notify(${channel}, '')`);
}

async function currentVersion(db: Database): Promise<bigint> {
  const [row] = await db.lookups.query<{ version: bigint }>(
    sql`SELECT version FROM config_version WHERE singleton`,
  );
  return row?.version ?? 0n;
}
