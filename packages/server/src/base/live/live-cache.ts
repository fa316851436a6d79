import { type Database, sql, type Tx } from '../pg/index.ts';

/**
 * Caches of slow-changing configuration: currencies, rates, channels, merchants, clients. Every administrative
 * change bumps one version number in its own transaction; each process drops all it has cached when it sees the
 * number move, woken by a notification and polling twice a second besides (D-169).
 */
export interface LiveCache {
  /** A loader that remembers what it loaded until something changes; concurrent loads of one key share one query. */
  keyed<K extends string, V>(load: (key: K) => Promise<V>, max?: number): (key: K) => Promise<V>;
  /** Announces a change from inside the transaction that makes it. */
  announce(tx: Tx): Promise<void>;
  /** Drops everything here and now: call after committing a change, before answering. */
  clear(): void;
  stop(): Promise<void>;
}

const channel = 'paydesk_config';
const poll_ms = 500;
/** Without news for so long, nothing cached is trusted. */
const trust_ms = 1_500;

export async function liveCache(db: Database): Promise<LiveCache> {
  const maps = new Set<Map<string, unknown>>();
  let seen = await currentVersion(db);
  let seen_at = performance.now();
  let polling = false;

  function clear(): void {
    for (const map of maps) map.clear();
  }

  async function check(): Promise<void> {
    if (polling) return;
    polling = true;
    try {
      const version = await currentVersion(db);
      if (version !== seen) clear();
      seen = version;
      seen_at = performance.now();
    } catch {
      // The next poll tries again; until one succeeds, `trusted` keeps the caches out of use.
    } finally {
      polling = false;
    }
  }

  const trusted = (): boolean => performance.now() - seen_at < trust_ms;
  const timer = setInterval(() => void check(), poll_ms);
  timer.unref();
  const stopListening = await db.listen(channel, () => void check());

  return {
    keyed<K extends string, V>(load: (key: K) => Promise<V>, max = 10_000) {
      const map = new Map<string, Promise<V>>();
      maps.add(map);
      return (key: K) => {
        const known = trusted() ? map.get(key) : undefined;
        if (known !== undefined) return known;
        const loading = load(key).catch((error: unknown) => {
          if (map.get(key) === loading) map.delete(key);
          throw error;
        });
        if (map.size >= max) map.clear();
        // Put in before it ends: a change that comes meanwhile clears it, whatever it reads.
        map.set(key, loading);
        return loading;
      };
    },
    async announce(tx) {
      await tx.query(sql`UPDATE config_version SET version = version + 1 WHERE singleton`);
      await tx.query(sql`SELECT pg_notify(${channel}, '')`);
    },
    clear,
    async stop() {
      clearInterval(timer);
      await stopListening();
    },
  };
}

async function currentVersion(db: Database): Promise<bigint> {
  const [row] = await db.query<{ version: bigint }>(sql`SELECT version FROM config_version WHERE singleton`);
  return row?.version ?? 0n;
}
