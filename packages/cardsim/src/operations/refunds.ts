/** Creating, settling and reading refunds. */
import { expandBody, listRecords, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { recordEvent, type EventOrigin } from '../webhooks/events.ts';
import { metadataOf, optionalChoice, optionalText, optionalWhole } from '../api/params.ts';
import { disputesOf, isWithdrawn } from './disputes.ts';
import { ownCharge } from './payments.ts';
import type { EventRecord, PaymentRecord, RefundRecord, SettleOutcome } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { invalidParameter, notAllowedNow } from '../api/stripe-error.ts';
import { wireCharge, wireRefund } from '../api/wire.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'];

/** `POST /v1/refunds`: refunds `amount`, or the rest of the payment. */
export function createRefund(call: Call): Outcome {
  const { sim, params, fault } = call;
  const payment = refundedPayment(call);
  const asked = optionalWhole(params, 'amount');
  const reason = optionalChoice(params, 'reason', reasons) ?? null;
  const metadata = metadataOf(params);
  if (asked === 0n) throw invalidParameter('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  const left = refundable(sim, payment);
  const amount = fault?.mode === 'amount' ? fault.amount_total : (asked ?? left);
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`;
    throw notAllowedNow(message, undefined, 'amount');
  }
  const refund: RefundRecord = {
    id: sim.newId('re_'),
    account: payment.account,
    payment_intent: payment.id,
    charge_id: payment.charge_id,
    created: sim.clock.seconds(),
    amount,
    currency: fault?.mode === 'currency' ? fault.currency : payment.currency,
    status: fault?.mode === 'pending' ? 'pending' : 'succeeded',
    reason,
    metadata,
  };
  sim.store.refunds.set(refund.id, refund);
  payment.amount_refunded += amount;
  const events = [recordEvent(sim, payment, 'charge.refunded', wireCharge(payment), call)];
  if (refund.status === 'succeeded') events.push(recordUpdate(sim, payment, refund, call));
  return { body: expandBody(wireRefund(refund), call), events };
}

/** `GET /v1/refunds/{id}` */
export function retrieveRefund(call: Call): Outcome {
  const refund = ownRecord(call.sim.store.refunds, call, 'refund');
  return { body: expandBody(wireRefund(refund), call) };
}

/** `GET /v1/refunds`, optionally for one `payment_intent` or `charge`. */
export function listRefunds(call: Call): Outcome {
  const payment_intent = optionalText(call.params, 'payment_intent');
  const charge = optionalText(call.params, 'charge');
  return listRecords(
    call,
    call.sim.store.refunds,
    'refund',
    wireRefund,
    (refund) =>
      (payment_intent === undefined || refund.payment_intent === payment_intent) &&
      (charge === undefined || refund.charge_id === charge),
  );
}

/**
 * Settles a refund. A failed amount can be refunded again. The caller has checked that the refund is pending, or that it
 * has succeeded and fails.
 */
export function settleRefund(sim: Sim, refund: RefundRecord, outcome: SettleOutcome): EventRecord[] {
  const payment = sim.store.payments.get(refund.payment_intent);
  if (payment === undefined) return [];
  refund.status = outcome;
  if (outcome === 'succeeded') return [recordUpdate(sim, payment, refund)];
  payment.amount_refunded -= refund.amount;
  const failed = recordEvent(sim, payment, 'refund.failed', wireRefund(refund));
  return [recordUpdate(sim, payment, refund), failed];
}

function recordUpdate(
  sim: Sim,
  owner: PaymentRecord,
  refund: RefundRecord,
  origin: EventOrigin = null,
): EventRecord {
  return recordEvent(sim, owner, 'refund.updated', wireRefund(refund), origin);
}

function refundedPayment(call: Call): PaymentRecord {
  const payment_intent = optionalText(call.params, 'payment_intent');
  if (payment_intent !== undefined) {
    return ownRecord(call.sim.store.payments, call, 'payment_intent', 'payment_intent', payment_intent);
  }
  const charge = optionalText(call.params, 'charge');
  if (charge !== undefined) return ownCharge(call, charge, 'charge');
  const message =
    'One of the following params should be provided for this request: payment_intent or charge.';
  throw invalidParameter('payment_intent', message, 'parameter_missing');
}

/** The amount of a payment that can still be refunded. */
function refundable(sim: Sim, payment: PaymentRecord): bigint {
  if (payment.status !== 'succeeded') {
    throw notAllowedNow(`This PaymentIntent (${payment.id}) does not have a successful charge to refund.`);
  }
  if (!disputesOf(sim, payment).every(isWithdrawn)) {
    throw notAllowedNow(
      `Charge ${payment.charge_id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  }
  const left = payment.amount - payment.amount_refunded;
  if (left === 0n) {
    const message = `Charge ${payment.charge_id} has already been refunded.`;
    throw notAllowedNow(message, 'charge_already_refunded');
  }
  return left;
}
