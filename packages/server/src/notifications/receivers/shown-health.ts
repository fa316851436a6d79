/** Reads the health of a merchant's receivers, for its people. */
import { type Clock, days, hours, later } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { endpointOf, noFailures } from './failing-receiver.ts';
import {
  countFailing,
  type ListedReceiver,
  type Receiver,
  type ReceiverFigures,
  selectFailing,
  selectFailingOfAll,
  selectLastSuccess,
  selectReceiverFigures,
} from './receiver.sql.ts';

/** A receiver that was not tried for this long is no longer called failing: no notification waits for it. */
const forgotten_ms = days(3);
/** A success is searched for this far back: all attempts of the merchant since then may have to be read. */
const remembered_ms = days(7);
/** Receivers in one answer. */
const most = 20;

export interface ReceiverHealth extends Omit<Receiver, 'destination'> {
  /** Whether it is the default address of the merchant. */
  is_default: boolean;
  last_success_at: Date | null;
  /** Of the last 24 hours. */
  figures: ReceiverFigures;
}

interface HealthDeps {
  db: Queryable;
  clock: Clock;
}

/** The default receiver, and every other that fails now. */
export async function readHealth(
  { db, clock }: HealthDeps,
  { merchant_id, notify_url }: { merchant_id: string; notify_url: string },
): Promise<ReceiverHealth[]> {
  const now = clock.now();
  const failing = await selectFailing(db, merchant_id, { since: later(now, -forgotten_ms), limit: most });
  const usual = notify_url === '' ? null : endpointOf(notify_url);
  const others = failing.filter(({ endpoint }) => endpoint !== usual);
  const first = failing.find(({ endpoint }) => endpoint === usual);
  const shown = [
    ...(usual === null ? [] : [{ ...noFailures, destination: '', ...first, endpoint: usual }]),
    ...others,
  ];
  const health: ReceiverHealth[] = [];
  // One after the other: together they would take the connections that payments need.
  for (const { destination: _, ...receiver } of shown) {
    const { endpoint } = receiver;
    health.push({
      ...receiver,
      is_default: endpoint === usual,
      last_success_at: await selectLastSuccess(db, merchant_id, endpoint, later(now, -remembered_ms)),
      figures: await selectReceiverFigures(db, merchant_id, endpoint, later(now, -hours(24))),
    });
  }
  return health;
}

/** The failing receivers of one merchant. */
export const failingReceivers = ({ db, clock }: HealthDeps, merchant_id: string): Promise<Receiver[]> =>
  selectFailing(db, merchant_id, { since: later(clock.now(), -forgotten_ms), limit: most });

/** How many receivers of all merchants fail, and since when. */
export const totalFailingReceivers = ({ db, clock }: HealthDeps) =>
  countFailing(db, later(clock.now(), -forgotten_ms));

/** The failing receivers of all merchants. */
export const listFailingReceivers = ({ db, clock }: HealthDeps): Promise<ListedReceiver[]> =>
  selectFailingOfAll(db, later(clock.now(), -forgotten_ms), 100);
