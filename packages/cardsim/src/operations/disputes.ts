/** Opening, deciding and reading disputes. */
import { expandBody, listRecords, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { recordEvent } from '../webhooks/events.ts';
import { optionalText } from '../api/params.ts';
import type { DisputeRecord, EventRecord, PaymentRecord } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { wireDispute } from '../api/wire.ts';

export type DisputeOutcome = 'lost' | 'won';

/**
 * Opens a dispute about the amount that was paid and not refunded. The caller has checked that there is no
 * dispute yet.
 */
export function openDispute(
  sim: Sim,
  payment: PaymentRecord,
): { dispute: DisputeRecord; event: EventRecord } {
  const dispute: DisputeRecord = {
    id: sim.newId('du_'),
    account: payment.account,
    livemode: payment.livemode,
    payment_intent: payment.id,
    charge_id: payment.charge_id,
    created: sim.clock.seconds(),
    amount: payment.amount - payment.amount_refunded,
    currency: payment.currency,
    status: 'needs_response',
  };
  sim.store.disputes.set(dispute.id, dispute);
  payment.dispute_id = dispute.id;
  const event = recordEvent(sim, dispute, 'charge.dispute.created', wireDispute(dispute));
  return { dispute, event };
}

/** Decides an open dispute. */
export function closeDispute(sim: Sim, dispute: DisputeRecord, outcome: DisputeOutcome): EventRecord {
  dispute.status = outcome;
  return recordEvent(sim, dispute, 'charge.dispute.closed', wireDispute(dispute));
}

/** `GET /v1/disputes/{id}` */
export function retrieveDispute(call: Call): Outcome {
  const dispute = ownRecord(call.sim.store.disputes, call, 'dispute', 'dispute');
  return { body: expandBody(wireDispute(dispute), call) };
}

/** `GET /v1/disputes`, optionally for one `payment_intent` or `charge`. */
export function listDisputes(call: Call): Outcome {
  const payment_intent = optionalText(call.params, 'payment_intent');
  const charge = optionalText(call.params, 'charge');
  return listRecords(
    call,
    call.sim.store.disputes,
    'dispute',
    wireDispute,
    (dispute) =>
      (payment_intent === undefined || dispute.payment_intent === payment_intent) &&
      (charge === undefined || dispute.charge_id === charge),
  );
}
