/** Starts delivery attempts of one process, and stores their results. A failure changes no order. */
import { type Clock, later, minutes, seconds } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { loadOnce } from '../../base/load-once.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { failSpan, inSpan, spanOf } from '../../base/tracing/tracing.ts';
import {
  type DeliveryAttemptDeps,
  deliveryTimeout_ms,
  makeDeliveryAttempt,
  UnsentError,
  type ResultWriter,
  createResultWriter,
  nextDeliveryAttempt,
  type ClaimedDelivery,
  withdrawDeliveryAttempts,
} from '../delivery-attempts/index.ts';
import {
  type DeliveryOutcome,
  createHttpSender,
  type HttpSender,
  type DeliveryError,
} from '../transport/index.ts';
import { type NameResolver, systemResolver } from '../addresses/index.ts';
import type { ReceiverMail } from '../receivers/index.ts';
import { claimDueDeliveries } from './claim.ts';
import { keepInArchive, type NotificationArchive } from './notification-archive.ts';
import { Gate, type GateLimits, defaultLimits, type Place } from './limit-attempts.ts';
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
  /** How long a claimed event belongs to its worker. Must be longer than an attempt can take. */
  lease_ms?: number;
  attempt_ms?: number;
  metrics?: DeliveryObserver;
  ids: Pick<IdSource, 'uuid'>;
  /** How people are told of failing receivers; null or absent: no mail is sent. */
  mail?: ReceiverMail | null;
  /** Takes each notification before it is sent; null or absent: none does. */
  archive?: NotificationArchive | null;
  /** The idempotency key of an order, for the archive. */
  keyOf?: (merchant_id: string, order_no: string) => Promise<string | null>;
  /** Whether nothing may be sent now, because a restored database is put in order. */
  isHeld?: () => boolean;
}

/** Learns how each attempt ended. */
export interface DeliveryObserver {
  recordAttempt(error: DeliveryError | null, elapsed_ms: number): void;
  /** An attempt sent nothing, for a reason of this service; it does not count for its event (D-763). */
  recordUnsent(): void;
}

export interface StartedAttempts {
  /** Each resolves when its result is stored. */
  attempts: Promise<void>[];
  /** Whether more may be due than could start now. */
  more: boolean;
}

/**
 * The deliveries of one process, with the connections, places and results that they share. Invariant: an event is
 * claimed only with a place of the gate for it and while few results wait to be stored (D-721), few of them of its
 * merchant (D-761). Every claim ends with a stored result or is withdrawn, and every place is given back. A claim that
 * can be neither stored nor withdrawn counts as interrupted when its lease ends (D-143).
 */
export interface Delivery {
  readonly gate: Gate;
  /** Starts attempts for one merchant, as many as the gate allows and at most `most`. */
  start(merchant_id: string, most: number, due_by: Date): Promise<StartedAttempts>;
  /** Starts nothing more, withdraws what is not sent yet, waits for the rest and closes all connections. */
  close(): Promise<void>;
}

/** Maximum number of events in one claim. */
const claimBatch = 64;
/** Destinations of a merchant that a claim chooses from: all, so that many without a free place hide no other (D-1160). */
const mostDestinations = 10_000;
/**
 * The delay of an event that could not be sent because of this service, for example because its secret cannot be
 * opened.
 */
const unsentDelay_ms = minutes(1);

export function openDelivery(deps: DeliveryDeps): Delivery {
  const { db, clock, log, ca, lease_ms = seconds(30), attempt_ms: connect_ms = deliveryTimeout_ms } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const gate = new Gate(limits);
  let opened: HttpSender | undefined;
  const { per_destination: connections } = limits;
  const openSender = loadOnce(async () => (opened = await createHttpSender({ ca, connections, connect_ms })));
  const attemptDeps: DeliveryAttemptDeps = {
    ...deps,
    sender: openSender,
    resolver: deps.resolver ?? systemResolver(),
  };
  const results = createResultWriter({ ...deps, mail: deps.mail ?? null, max_waiting: 2 * limits.total });
  /** Claims and attempts under way. */
  const running = new Set<Promise<unknown>>();
  let closing = false;

  async function startAttempts(merchant_id: string, most: number, due_by: Date): Promise<StartedAttempts> {
    await results.waitForRoom();
    const room = Math.min(most, claimBatch, placesFor(merchant_id, { gate, results, limits }));
    if (closing || deps.isHeld?.() === true) return { attempts: [], more: false };
    if (room <= 0) return { attempts: [], more: true };
    const at = { now: due_by, real: clock.real() };
    const destinations = await destinationsWithDueWork(db, { merchant_id, at, limit: mostDestinations });
    const places = takePlaces(gate, { merchant_id, destinations, room });
    try {
      const portions = portionsOf(places);
      if (portions.length === 0) return { attempts: [], more: destinations.length > 0 };
      const claims = await claimDueDeliveries(db, clock, { merchant_id, portions, due_by, lease_ms });
      const attempts = claims.map((claim) => track(runAttempt(claim, places.get(claim.destination)?.pop())));
      return { attempts, more: claims.length > 0 };
    } finally {
      for (const unused of places.values()) for (const leave of unused) leave(null);
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  async function runAttempt(claim: ClaimedDelivery, leave: Place | undefined): Promise<void> {
    let held = true;
    try {
      if (closing) throw new UnsentError('the process is stopping');
      await keepInArchive(deps, claim);
      // What the archive takes is not the receiver's time (D-1280).
      const began = performance.now();
      const { stored, released } = await inDeliverySpan(claim, async (report) => {
        const { outcome, released } = await makeDeliveryAttempt(attemptDeps, claim);
        report(outcome);
        const elapsed_ms = performance.now() - began;
        deps.metrics?.recordAttempt(outcome.error, elapsed_ms);
        return { stored: storeResult({ clock, results, log }, claim, outcome, elapsed_ms), released };
      });
      await released;
      leave?.(performance.now() - began);
      held = false;
      await stored;
    } catch (error) {
      await withdraw(deps, claim, { error, closing });
    } finally {
      if (held) leave?.(null);
    }
  }

  return {
    gate,
    start: (merchant_id, most, due_by) => track(startAttempts(merchant_id, most, due_by)),
    async close() {
      closing = true;
      results.stopRetrying();
      // A claim that is being committed still adds its attempts, which are then withdrawn.
      while (running.size > 0) await Promise.allSettled(running);
      await opened?.close();
    },
  };
}

/** How many attempts of a merchant may start: results of it that wait beyond the usual take places (D-761). */
function placesFor(
  merchant_id: string,
  { gate, results, limits }: { gate: Gate; results: ResultWriter; limits: GateLimits },
): number {
  const free = gate.freeFor(merchant_id);
  return Math.min(free, free + limits.per_merchant - results.waitingOf(merchant_id));
}

/** Runs an attempt as a span in the trace that caused its event. The span names host and port of the receiver only. */
function inDeliverySpan<T>(
  { event_id, attempt, destination, traceparent }: ClaimedDelivery,
  work: (report: (outcome: DeliveryOutcome) => void) => Promise<T>,
): Promise<T> {
  const { hostname, port } = new URL(`https://${destination}`);
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port || 443),
    'paydesk.event_id': event_id,
    'paydesk.attempt': attempt,
  };
  const options = { kind: 'client', attributes, parent: spanOf(traceparent) } as const;
  return inSpan('deliver notification', options, (span) =>
    work(({ http_status, error }) => {
      if (http_status !== null) span?.setAttribute('http.response.status_code', http_status);
      if (span !== null && error !== null) failSpan(span, error);
    }),
  );
}

/** Withdraws an attempt that sent nothing. Its event is due again now where the process stops, else in a minute. */
async function withdraw(
  { db, clock, log, metrics }: Pick<DeliveryDeps, 'db' | 'clock' | 'log' | 'metrics'>,
  { merchant_id, event_id, attempt, destination }: ClaimedDelivery,
  { error, closing }: { error: unknown; closing: boolean },
): Promise<void> {
  if (!closing) {
    metrics?.recordUnsent();
    log.error(
      { err: error, merchant_id, event_id, destination },
      'a notification could not be sent; it is tried again in a minute',
    );
  }
  const next_attempt_at = closing ? clock.now() : later(clock.now(), unsentDelay_ms);
  try {
    await withdrawDeliveryAttempts(db, merchant_id, [{ event_id, attempt, next_attempt_at }]);
  } catch (failure) {
    // When its lease ends, the attempt counts as interrupted and another worker takes the event.
    log.warn(
      { err: failure, merchant_id, event_id },
      'a notification attempt could not be withdrawn: it will count as interrupted',
    );
  }
}

/** Takes places for a merchant's destinations: equal shares of `room`, the longest overdue destination first. */
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

function storeResult(
  { clock, results, log }: { clock: Clock; results: ResultWriter; log: Logger },
  { merchant_id, event_id, attempt, manual, url, destination, lease_until }: ClaimedDelivery,
  { http_status, error }: DeliveryOutcome,
  elapsed_ms: number,
): Promise<void> {
  const finished_at = clock.now();
  const duration_ms = Math.round(elapsed_ms);
  const end = error === null ? 'acknowledged' : 'failed';
  const next = nextDeliveryAttempt({ end, attempt, manual, at: finished_at });
  const line = { merchant_id, event_id, attempt, destination, http_status, error, duration_ms };
  if (error === null) log.debug(line, 'notification delivered');
  else log.info({ ...line, delivery_status: next.delivery_status }, 'notification attempt failed');
  const row = { event_id, attempt, url, destination, next, http_status, error, finished_at, duration_ms };
  return results.write(merchant_id, row, lease_until);
}
