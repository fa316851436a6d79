import type { EventRecord } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { api_version, type Wire } from '../api/wire.ts';

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.async_payment_failed'
  | 'charge.refunded'
  | 'charge.dispute.created'
  | 'charge.dispute.closed'
  | 'refund.updated'
  | 'refund.failed';

/** The API call that an event came from; null for what happened on the page, by control or by time. */
export type EventOrigin = { request_id: string; idempotency_key: string | null } | null;

/**
 * Records that something happened, with the object as it is at this moment. Sending is up to the caller, who
 * knows whether it goes out before or after an answer, or not at all.
 */
export function recordEvent(
  sim: Sim,
  owner: { account: string; livemode: boolean },
  type: EventType,
  object: Wire,
  origin: EventOrigin = null,
): EventRecord {
  const record: EventRecord = {
    account: owner.account,
    event: {
      id: sim.newId('evt_'),
      object: 'event',
      api_version,
      created: sim.clock.seconds(),
      data: { object },
      livemode: owner.livemode,
      pending_webhooks: 1,
      request: { id: origin?.request_id ?? null, idempotency_key: origin?.idempotency_key ?? null },
      type,
    },
  };
  sim.store.events.set(record.event.id, record);
  return record;
}
