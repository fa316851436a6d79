/** Records events in the provider’s format. */
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
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'refund.updated'
  | 'refund.failed';

/** The API call that caused an event; null if the page, the control API or the clock caused it. */
export type EventOrigin = { request_id: string; idempotency_key: string | null } | null;

/**
 * Records an event with the current state of the object. The caller sends it, because the caller decides
 * whether it is sent before the answer, after the answer, or not at all.
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
