/** Begins and ends the hold on all traffic. */
import { type AuditDeps, changeAudited } from '../base/audit/index.ts';
import { deleteHold, type Hold, insertHold, selectHold } from '../base/live/traffic-hold.ts';
import { rfc3339 } from '../base/time/clock.ts';

const target = 'service';
const shown = (hold: Hold | null) =>
  hold === null ? null : { held_at: rfc3339(hold.held_at), reason: hold.reason };

/** Holds all traffic: every process answers 503 and its workers deliver nothing. It stays until it is released. */
export async function holdTraffic(deps: AuditDeps, reason: string): Promise<void> {
  await changeAudited(deps, { actor: 'command', action: 'traffic.hold', reason }, async (tx) => {
    const before = await selectHold(tx);
    const hold = { held_at: before?.held_at ?? deps.clock.now(), reason };
    await insertHold(tx, hold);
    return { target, before: shown(before), after: shown(hold) };
  });
}

/** Lets traffic flow again. */
export async function releaseTraffic(deps: AuditDeps): Promise<void> {
  await changeAudited(deps, { actor: 'command', action: 'traffic.release' }, async (tx) => {
    const before = await selectHold(tx);
    await deleteHold(tx);
    return { target, before: shown(before), after: null };
  });
}
