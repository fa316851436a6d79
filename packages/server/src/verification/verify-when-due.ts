/** The worker's check of the books: every hour what is new, every night everything (D-393). */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/log.ts';
import { days, hours, later, minutes, seconds } from '../base/time/clock.ts';
import {
  endVerificationLease,
  selectVerificationMark,
  takeVerificationLease,
  type VerificationKind,
  type VerificationMark,
} from '../ledger/verification/index.ts';
import { type VerificationDeps, verifyAndKeep } from './verify-and-keep.ts';

/** How often what is new is checked. */
const every_ms = hours(1);
/** When everything is checked each day: at 03:00 UTC. */
const night_ms = hours(3);
const lease_ms = minutes(3);
const renewal_ms = seconds(30);

/** The latest start of a night's check. */
const lastNight = (now: Date): Date => {
  const day_ms = days(1);
  return new Date(Math.floor((now.getTime() - night_ms) / day_ms) * day_ms + night_ms);
};

/** The check that is due, or null. The first one is full, because an incremental check needs a beginning. */
export function dueCheck(
  { checked_at, full_at }: Pick<VerificationMark, 'checked_at' | 'full_at'>,
  now: Date,
): VerificationKind | null {
  if (checked_at === null || full_at === null || full_at < lastNight(now)) return 'full';
  // A clock that was set back must not end the checks.
  if (full_at.getTime() - now.getTime() >= every_ms) return 'full';
  return Math.abs(now.getTime() - checked_at.getTime()) >= every_ms ? 'incremental' : null;
}

/**
 * Makes the check that is due, if no other process does. The lease is by real time and is renewed meanwhile; if its holder
 * stops, another process checks after three minutes. If the holder continues after all, `verifyAndKeep` keeps both results.
 *
 * @returns always 0: after a check, nothing more is due
 */
export async function verifyWhenDue(
  deps: VerificationDeps & { log: Pick<Logger, 'info' | 'error'> },
): Promise<number> {
  const { db, clock, log } = deps;
  if (dueCheck(await selectVerificationMark(db), clock.now()) === null) return 0;
  const lease_id = randomUUID();
  const take = (): Promise<boolean> => {
    const now = clock.real();
    return takeVerificationLease(db, { lease_id, now, until: later(now, lease_ms) });
  };
  if (!(await take())) return 0;
  const renewal = setInterval(() => void take().catch(() => undefined), renewal_ms);
  try {
    // Another process may have checked before it gave up the lease.
    const kind = dueCheck(await selectVerificationMark(db), clock.now());
    if (kind === null) return 0;
    const checked = await verifyAndKeep(deps, { kind, verified_by: 'worker' });
    const told = { kind: checked.kind, entries: Number(checked.entries), findings: checked.findings.length };
    if (checked.ok) log.info(told, 'the books were checked');
    else log.error({ ...told, first: checked.findings[0] }, 'the books differ: see docs/operating/books.md');
    return 0;
  } catch (error) {
    // The process stops: another one begins the check again.
    if (deps.signal?.aborted === true) return 0;
    throw error;
  } finally {
    clearInterval(renewal);
    await endVerificationLease(db, lease_id).catch(() => undefined);
  }
}
