/**
 * Streams the audit trail to a place outside. Invariants: each entry is sent at least once, in the order of the seals,
 * followed by the head of the seal that covers it; the cursor is in the database and moves only after the sink has taken
 * what is before it. No request waits for it.
 */
import { auditJson, selectAuditEntriesById } from '../base/audit/index.ts';
import { writeJson } from '../base/input/json.ts';
import type { IdSource } from '../base/ids.ts';
import { platformBook } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../base/pg/index.ts';
import { type Clock, later, minutes, seconds } from '../base/time/clock.ts';
import type { AuditSink, StreamLine } from './audit-sink.ts';
import { auditKind } from './kinds.sql.ts';
import { parseEntries, sealJson, type SignedSeal } from './seal.ts';
import { selectSeal } from './seal.sql.ts';
import { claimSink, freeSink, renewSink, saveLeasedSent } from './sink-lease.sql.ts';

export interface StreamDeps {
  db: Database;
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  log: Pick<Logger, 'warn'>;
  sink: AuditSink;
  /** Runs the pass again after this time, also on a platform at rest: no look finds what waits for the sink (D-1473). */
  again: (after_ms: number) => void;
}

/** Number of seals in a pass. */
const sealsAtOnce = 20;
/** Number of entries in one call. */
const entriesAtOnce = 500;
/** Longer than a call to a sink may take. */
const lease_ms = seconds(30);
const maxPause_ms = minutes(1);

/**
 * Creates the pass that streams new seals; the pass returns how many it streamed. Several workers may run it: one at a time
 * sends. After a failure it pauses: one second, then twice as long each time, up to a minute. The log
 * tells of it in the words of the sink, because not each is a sink of the trail (D-662).
 */
export function createAuditStream(deps: StreamDeps): () => Promise<number> {
  const { db, clock, ids, log, sink, again } = deps;
  const holder = ids.uuid();
  let failures = 0;
  let failed_at = new Date(0);
  let pause_ms = 0;

  async function sendNext(): Promise<number> {
    const now = clock.real();
    const sent = await claimSink(db, sink.name, { holder, now, until: later(now, lease_ms) });
    if (sent === null) return 0;
    try {
      let count = 0;
      for (; count < sealsAtOnce; count++) {
        const seal = await selectSeal(db, platformBook, sent + BigInt(count) + 1n);
        if (seal === null) break;
        await sendSeal(deps, holder, seal);
      }
      return count;
    } finally {
      await freeSink(db, sink.name, holder);
    }
  }

  return async () => {
    // In both directions: a clock that was set back must not end the stream.
    const passed_ms = Math.abs(clock.real().getTime() - failed_at.getTime());
    if (passed_ms < pause_ms) {
      again(pause_ms - passed_ms);
      return 0;
    }
    try {
      const count = await sendNext();
      failures = 0;
      pause_ms = 0;
      return count;
    } catch (error) {
      pause_ms = Math.min(seconds(1) * 2 ** failures, maxPause_ms);
      failures++;
      failed_at = clock.real();
      log.warn({ err: error, pause_ms }, sink.failure);
      again(pause_ms);
      return 0;
    }
  };
}

/** Sends the entries that a seal covers, then its head. A missing entry is left out: verify-audit names it. */
async function sendSeal(
  { db, clock, sink }: StreamDeps,
  holder: string,
  seal: SignedSeal & { entries: string },
): Promise<void> {
  const send = async (lines: StreamLine[]): Promise<void> => {
    const until = later(clock.real(), lease_ms);
    if (!(await renewSink(db, sink.name, { holder, until })))
      throw new Error('another worker sends to the sink');
    await sink.send(lines);
  };
  const ids = parseEntries(seal.entries)
    .filter(({ kind }) => kind === auditKind.name)
    .map(({ key }) => (JSON.parse(key) as [string])[0]);
  let rest: StreamLine[] = [];
  for (let i = 0; i < ids.length; i += entriesAtOnce) {
    if (rest.length > 0) await send(rest);
    rest = await entryLines(db, ids.slice(i, i + entriesAtOnce));
  }
  const at = new Date(Number(seal.sealed_at / 1_000n));
  await send([...rest, { kind: 'seal', at, json: writeJson({ seal: sealJson(seal) }) }]);
  await saveLeasedSent(db, sink.name, { holder, seal_no: seal.seal_no });
}

async function entryLines(db: Database, ids: readonly string[]): Promise<StreamLine[]> {
  const entries = await selectAuditEntriesById(db, ids);
  const byId = new Map(entries.map((entry) => [entry.audit_id, entry]));
  return ids.flatMap((id) => {
    const entry = byId.get(id);
    return entry === undefined ? [] : [{ kind: 'audit', at: entry.at, json: writeJson(auditJson(entry)) }];
  });
}
