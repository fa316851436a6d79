/** Begins and ends the hold on all traffic, and lets one run at a time work during the hold (D-1088). */
import { setInterval } from 'node:timers';
import { type AuditDeps, changeAudited } from '../base/audit/index.ts';
import {
  deleteHold,
  type Hold,
  insertHold,
  renewHold,
  selectHoldForUpdate,
  updateHold,
} from '../base/traffic/traffic-hold.ts';
import type { Database, Tx } from '../base/pg/index.ts';
import { later, rfc3339, seconds } from '../base/time/clock.ts';

const target = 'service';
const shown = (hold: Hold | null) =>
  hold === null ? null : { held_at: rfc3339(hold.held_at), reason: hold.reason };

/** A run that was killed keeps others waiting this long at most. */
const turn_ms = seconds(60);
const renewEvery_ms = seconds(10);

/** Another run of the command puts the books in order now. */
export class OtherRunError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'OtherRunError';
  }
}

export type HoldDeps = AuditDeps & { db: Database };

/**
 * Holds all traffic: every process answers 503 and its workers deliver nothing. It stays until it is released.
 *
 * @throws OtherRunError
 */
export async function holdTraffic(deps: HoldDeps, reason: string): Promise<void> {
  await hold(deps, reason, null);
}

/**
 * Lets traffic flow again.
 *
 * @throws OtherRunError
 */
export function releaseTraffic(deps: HoldDeps): Promise<void> {
  return release(deps, null);
}

/** The turn of one run, while traffic is held. */
export interface Turn {
  /** Call it between steps. @throws OtherRunError if another run has taken over, as after a long stop of this process */
  demand(): Promise<void>;
  /** Lets traffic flow again, and ends the turn. @throws OtherRunError */
  release(): Promise<void>;
  /** Ends the turn. Unless it was released, traffic stays held. */
  end(): Promise<void>;
}

/**
 * Holds all traffic for a run that works meanwhile. A second run at the same time is refused; a run that was killed
 * can be followed by another one after a minute.
 *
 * Invariant: only the run whose turn it is lets traffic flow.
 *
 * @throws OtherRunError
 */
export async function beginTurn(deps: HoldDeps, reason: string): Promise<Turn> {
  const run_id = deps.ids.ulid(deps.clock.real());
  const nextUntil = (): Date => later(deps.clock.real(), turn_ms);
  let until = nextUntil();
  await hold(deps, reason, { run_id, run_until: until });
  let isLost = false;
  const renew = async (): Promise<void> => {
    const next = nextUntil();
    if (await renewHold(deps.db, run_id, next)) until = next;
    else isLost = true;
  };
  // A short outage of the database does no harm: the next renewal comes in time, or the next step demands it.
  const timer = setInterval(() => void renew().catch(() => undefined), renewEvery_ms);
  timer.unref();
  return {
    async demand() {
      if (!isLost && deps.clock.real() > later(until, -turn_ms / 2)) await renew();
      if (isLost) throw new OtherRunError(takenOver);
    },
    async release() {
      clearInterval(timer);
      await release(deps, run_id);
    },
    async end() {
      clearInterval(timer);
      await deps.db.transaction(async (tx) => {
        const held = await selectHoldForUpdate(tx);
        if (held?.run_id === run_id) await updateHold(tx, { ...held, run_id: null, run_until: null });
      });
    },
  };
}

const takenOver = 'Another run has taken over, because this one stood still for a minute. That run goes on.';

async function hold(
  deps: HoldDeps,
  reason: string,
  turn: { run_id: string; run_until: Date } | null,
): Promise<void> {
  await changeAudited(deps, { actor: 'command', action: 'traffic.hold', reason }, async (tx) => {
    const before = await selectHoldForUpdate(tx);
    const stored = await insertHold(tx, { held_at: before?.held_at ?? deps.clock.now(), reason });
    refuseDuringTurn(deps, stored);
    const after = { ...stored, reason, ...(turn ?? { run_id: null, run_until: null }) };
    await updateHold(tx, after);
    return { target, before: shown(before), after: shown(after) };
  });
}

async function release(deps: HoldDeps, run_id: string | null): Promise<void> {
  await changeAudited(deps, { actor: 'command', action: 'traffic.release' }, async (tx: Tx) => {
    const before = await selectHoldForUpdate(tx);
    if (run_id === null) refuseDuringTurn(deps, before);
    else if (before?.run_id !== run_id) throw new OtherRunError(takenOver);
    await deleteHold(tx);
    return { target, before: shown(before), after: null };
  });
}

function refuseDuringTurn({ clock }: Pick<HoldDeps, 'clock'>, held: Hold | null): void {
  const { run_id, run_until } = held ?? {};
  if (run_id === null || run_id === undefined || !run_until || run_until <= clock.real()) return;
  throw new OtherRunError(
    'Another run of "paydesk after-restore" puts the books in order now. Wait for its end: it lets traffic flow. ' +
      `If it was killed, try again after ${rfc3339(run_until)}.`,
  );
}
