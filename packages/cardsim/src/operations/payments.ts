/** Paying a session, settling asynchronous payments, and reading payments. */
import { expandBody, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { recordEvent } from '../webhooks/events.ts';
import type {
  Decline,
  EventRecord,
  PaymentMethod,
  PaymentRecord,
  SessionRecord,
  SettleOutcome,
} from '../records/records.ts';
import { methods, wallets } from '../records/methods.ts';
import { noSuch } from '../api/stripe-error.ts';
import { markExpired } from './sessions.ts';
import type { Sim } from '../simulator/sim.ts';
import { wireCharge, wirePaymentIntent, wireSession } from '../api/wire.ts';

export const default_payer_email = 'buyer@example.com';

/** The means of a test payment: a card, a card in a wallet, or another method. */
export function testMethod(type: string): PaymentMethod {
  if (type === 'card') return { type, brand: 'visa', last4: '4242' };
  if (Object.hasOwn(wallets, type)) return { type: 'card', brand: 'visa', last4: '4242', wallet: type };
  return { type, last4: methods[type]?.manner === 'delayed' ? '3000' : null };
}

/** A payment of an open session. */
export type PayRequest = {
  method: PaymentMethod;
  /** Whether the result comes later, by {@link settleAsync}. */
  async: boolean;
  /** The paid amount that the provider reports, if it differs from the session. */
  amount_total?: bigint;
  currency?: string;
  payer_email?: string;
  /** When and how an asynchronous payment settles by itself. */
  auto_settle?: SessionRecord['auto_settle'];
};

/** Completes an open session. The caller has checked that it is open. */
export function paySession(sim: Sim, session: SessionRecord, request: PayRequest): EventRecord {
  if (request.amount_total !== undefined) {
    session.amount_total = request.amount_total;
    session.amount_subtotal = request.amount_total;
  }
  if (request.currency !== undefined) session.currency = request.currency;
  const payment = newPayment(sim, session, request, request.async ? 'processing' : 'succeeded');
  session.status = 'complete';
  session.payment_status = request.async ? 'unpaid' : 'paid';
  session.payer_email = payment.payer_email;
  session.challenge_email = null;
  session.auto_settle = request.auto_settle ?? null;
  return recordEvent(sim, session, 'checkout.session.completed', wireSession(session, sim.publicUrl()));
}

/** Notes a declined try on an open session, which stays open. No webhook that a channel listens to tells of it. */
export function declinePayment(
  sim: Sim,
  session: SessionRecord,
  method: PaymentMethod,
  decline?: Decline,
): void {
  const payment = newPayment(sim, session, { method }, 'requires_payment_method');
  if (decline !== undefined) payment.decline = decline;
}

/** Creates a payment, which becomes that of the session. */
function newPayment(
  sim: Sim,
  session: SessionRecord,
  { method, payer_email }: Pick<PayRequest, 'method' | 'payer_email'>,
  status: PaymentRecord['status'],
): PaymentRecord {
  const payment: PaymentRecord = {
    id: sim.newId('pi_'),
    charge_id: sim.newId(method.type === 'card' ? 'ch_' : 'py_'),
    account: session.account,
    livemode: session.livemode,
    session_id: session.id,
    created: sim.clock.seconds(),
    amount: session.amount_total,
    currency: session.currency,
    status,
    method,
    payer_email: payer_email ?? session.customer_email ?? default_payer_email,
    amount_refunded: 0n,
    dispute_id: null,
    metadata: session.intent_metadata,
    description: session.intent_description,
  };
  sim.store.payments.set(payment.id, payment);
  session.payment_intent = payment.id;
  return payment;
}

/** The payment of a session if its asynchronous result is still open. */
export function processingPayment(sim: Sim, session: SessionRecord): PaymentRecord | undefined {
  const payment = paymentOf(sim, session);
  return payment?.status === 'processing' ? payment : undefined;
}

export function paymentOf(sim: Sim, session: SessionRecord): PaymentRecord | undefined {
  return session.payment_intent === null ? undefined : sim.store.payments.get(session.payment_intent);
}

/** Ends an asynchronous payment. The caller has checked that it is processing. */
export function settleAsync(
  sim: Sim,
  session: SessionRecord,
  payment: PaymentRecord,
  outcome: SettleOutcome,
): EventRecord {
  session.auto_settle = null;
  payment.status = outcome === 'succeeded' ? 'succeeded' : 'requires_payment_method';
  session.payment_status = outcome === 'succeeded' ? 'paid' : 'unpaid';
  const object = wireSession(session, sim.publicUrl());
  return recordEvent(sim, session, `checkout.session.async_payment_${outcome}`, object);
}

/** Applies the passing of time: open sessions expire, asynchronous payments settle. Returns the events. */
export function passTime(sim: Sim): EventRecord[] {
  const now = sim.clock.seconds();
  const events: EventRecord[] = [];
  for (const session of sim.store.sessions.values()) {
    if (session.status === 'open' && session.expires_at <= now) events.push(markExpired(sim, session));
    if (session.auto_settle === null || session.auto_settle.at > now) continue;
    const payment = processingPayment(sim, session);
    if (payment !== undefined) events.push(settleAsync(sim, session, payment, session.auto_settle.outcome));
  }
  return events;
}

/** `GET /v1/payment_intents/{id}` */
export function retrievePaymentIntent(call: Call): Outcome {
  const payment = ownRecord(call.sim.store.payments, call, 'payment_intent', 'intent');
  return { body: expandBody(wirePaymentIntent(payment), call) };
}

/** `GET /v1/charges/{id}` */
export function retrieveCharge(call: Call): Outcome {
  return { body: expandBody(wireCharge(ownCharge(call, call.id, 'charge')), call) };
}

/** Returns the payment of a charge of the caller’s account; throws 404 if there is none. */
export function ownCharge(call: Call, charge_id: string, param: string): PaymentRecord {
  for (const payment of call.sim.store.payments.values()) {
    if (payment.charge_id === charge_id && payment.account === call.account.id) return payment;
  }
  throw noSuch('charge', charge_id, param);
}
