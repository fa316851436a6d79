import { type Clock, later, minutes, seconds } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import {
  type AttemptDeps,
  makeAttempt,
  UnsentError,
  type AttemptEnds,
  attemptEnds,
  nextAttempt,
  type Claim,
  withdrawAttempts,
} from '../attempts/index.ts';
import { type AttemptOutcome, createHttpSender, type DeliveryError } from '../transport/index.ts';
import { type NameResolver, systemResolver } from '../addresses/index.ts';
import { claimDue } from './claim.ts';
import { Gate, type GateLimits, defaultLimits, type Place } from './gate.ts';
import { destinationsWithDueWork, type Portion } from './due.sql.ts';

export interface DeliveryDeps {
  db: Database;
  clock: Clock;
  box: SecretBox;
  log: Logger;
  /** Ranges that count as public (D-141). */
  allow_cidrs: readonly string[];
  /** PEM certificates trusted beside the built-in ones, or null. */
  ca: string | null;
  resolver?: NameResolver;
  limits?: Partial<GateLimits>;
  /** How long a begun attempt belongs to its worker; longer than an attempt lasts. */
  lease_ms?: number;
  metrics?: DeliveryObserver;
}

/** Learns how each attempt ended. */
export interface DeliveryObserver {
  attempted(error: DeliveryError | null, elapsed_ms: number): void;
}

/** What was begun for one merchant, and whether more is due than may start now. */
export interface Started {
  attempts: Promise<void>[];
  more: boolean;
}

export interface Delivery {
  readonly gate: Gate;
  /** Begins attempts of one merchant, as many as the gate lets in and at most `most`. */
  start(merchant_id: string, most: number, due_by: Date): Promise<Started>;
  /** Begins nothing more, takes back what is not sent yet, waits for the rest, and drops all connections. */
  close(): Promise<void>;
}

/** Events begun in one transaction at most. */
const claimBatch = 64;
/** Destinations of one merchant looked at in one go. */
const destinationBatch = 64;
/** When an event is due again whose secret could not be opened: nothing but the operator can help. */
const unsentDelay_ms = minutes(1);

/** Everything that deliveries of one process share: connections, places, and the batches of results. */
export function openDelivery(deps: DeliveryDeps): Delivery {
  const { db, clock, log, lease_ms = seconds(30) } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const gate = new Gate(limits);
  const sender = createHttpSender({ ca: deps.ca, connections: limits.per_destination });
  const attempting: AttemptDeps = { ...deps, sender, resolver: deps.resolver ?? systemResolver() };
  const ends = attemptEnds(db, clock, log);
  /** Claims and attempts under way. */
  const running = new Set<Promise<unknown>>();
  let closing = false;

  async function begin(merchant_id: string, most: number, due_by: Date): Promise<Started> {
    const room = Math.min(most, claimBatch, gate.freeFor(merchant_id));
    if (closing || room <= 0) return { attempts: [], more: !closing };
    const at = { now: due_by, real: clock.real() };
    const destinations = await destinationsWithDueWork(db, { merchant_id, at, limit: destinationBatch });
    const places = takePlaces(gate, { merchant_id, destinations, room });
    try {
      const portions = portionsOf(places);
      if (portions.length === 0) return { attempts: [], more: destinations.length > 0 };
      const claims = await claimDue(db, clock, { merchant_id, portions, due_by, lease_ms });
      const attempts = claims.map((claim) => track(run(claim, places.get(claim.destination)?.pop())));
      return { attempts, more: claims.length > 0 };
    } finally {
      for (const unused of places.values()) for (const leave of unused) leave(null);
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  async function run(claim: Claim, leave: Place | undefined): Promise<void> {
    const began = performance.now();
    let held = true;
    try {
      if (closing) throw new UnsentError('the process is stopping');
      const { outcome, released } = await makeAttempt(attempting, claim);
      const elapsed_ms = performance.now() - began;
      deps.metrics?.attempted(outcome.error, elapsed_ms);
      const stored = storeEnd({ clock, ends, log }, claim, outcome, elapsed_ms);
      await released;
      leave?.(performance.now() - began);
      held = false;
      await stored;
    } catch (error) {
      await takeBack(claim, error);
    } finally {
      if (held) leave?.(null);
    }
  }

  async function takeBack(claim: Claim, error: unknown): Promise<void> {
    const { merchant_id, event_id, attempt, destination } = claim;
    if (!closing)
      log.error({ err: error, merchant_id, event_id, destination }, 'a notification was not sent');
    const next_attempt_at = closing ? clock.now() : later(clock.now(), unsentDelay_ms);
    try {
      await withdrawAttempts(db, merchant_id, [{ event_id, attempt, next_attempt_at }]);
    } catch (failure) {
      // Its lease runs out by itself; then it counts as interrupted and is resumed.
      log.warn({ err: failure, merchant_id, event_id }, 'a notification attempt could not be taken back');
    }
  }

  return {
    gate,
    start: (merchant_id, most, due_by) => track(begin(merchant_id, most, due_by)),
    async close() {
      closing = true;
      ends.hurry();
      // A claim that is just being committed still adds its attempts, which then take themselves back.
      while (running.size > 0) await Promise.allSettled(running);
      await sender.close();
    },
  };
}

/** Shares the room evenly among the destinations, the longest overdue first, and holds the places. */
function takePlaces(
  gate: Gate,
  { merchant_id, destinations, room }: { merchant_id: string; destinations: string[]; room: number },
): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  let left = room;
  for (const [i, destination] of destinations.entries()) {
    const share = Math.ceil(left / (destinations.length - i));
    const most = Math.min(share, gate.freeIn(merchant_id, destination));
    if (most === 0) continue;
    places.set(
      destination,
      Array.from({ length: most }, () => gate.enter(merchant_id, destination)),
    );
    left -= most;
  }
  return places;
}

const portionsOf = (places: Map<string, Place[]>): Portion[] =>
  [...places].map(([destination, held]) => ({ destination, most: held.length }));

function storeEnd(
  { clock, ends, log }: { clock: Clock; ends: AttemptEnds; log: Logger },
  { merchant_id, event_id, attempt, manual, destination, lease_until }: Claim,
  { http_status, error }: AttemptOutcome,
  elapsed_ms: number,
): Promise<void> {
  const finished_at = clock.now();
  const duration_ms = Math.round(elapsed_ms);
  const end = error === null ? 'acknowledged' : 'failed';
  const next = nextAttempt({ end, attempt, manual, at: finished_at });
  const line = { merchant_id, event_id, attempt, destination, http_status, error, duration_ms };
  if (error === null) log.debug(line, 'notification delivered');
  else log.info({ ...line, delivery_status: next.delivery_status }, 'notification attempt failed');
  const row = { event_id, attempt, next, http_status, error, finished_at, duration_ms };
  return ends.end(merchant_id, row, lease_until);
}
