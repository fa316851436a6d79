/** The control API: arms faults, pays sessions, settles payments, moves the clock. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wireAmount } from '../records/amounts.ts';
import { sendAfterAnswer } from '../api/answers.ts';
import {
  readAmount,
  readActivation,
  readArmedFault,
  bodyOf,
  readChoice,
  readCurrency,
  readBoolean,
  readText,
  readWebhookTarget,
  readWhole,
  type Body,
} from './control-body.ts';
import { conflict, ControlError, invalidMember, notFound } from './control-error.ts';
import {
  closeDispute,
  disputable,
  type DisputeOutcome,
  disputesOf,
  type DisputeTerms,
  dispute_reasons,
  isOpen,
  isWithdrawn,
  openDispute,
  reopenDispute,
} from '../operations/disputes.ts';
import { usual_due_seconds } from '../records/evidence.ts';
import type { ArmedFault } from '../simulator/faults.ts';
import {
  passTime,
  paymentOf,
  type PayRequest,
  paySession,
  processingPayment,
  settleAsync,
  testMethod,
} from '../operations/payments.ts';
import { methods, payableBy } from '../records/methods.ts';
import type {
  DisputeRecord,
  EventRecord,
  PaymentRecord,
  SessionRecord,
  WebhookTarget,
} from '../records/records.ts';
import { settleRefund } from '../operations/refunds.ts';
import type { Sim } from '../simulator/sim.ts';
import { wireDispute, wireRefund, wireSession, type Wire } from '../api/wire.ts';

const webhook_modes = ['normal', 'none', 'duplicate', 'early'] as const;
const outcomes = ['succeeded', 'failed'] as const;
const max_advance_seconds = 10 * 366 * 86_400;

type Handler = (request: FastifyRequest, reply: FastifyReply, body: Body) => object | Promise<object>;

/**
 * Registers the control API under `/_sim`.
 *
 * @param allow_remote whether callers from other machines are allowed
 */
export function registerControl(app: FastifyInstance, sim: Sim, allow_remote: boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const local = allow_remote || isLoopback(request.socket.remoteAddress ?? '');
    done(
      local
        ? undefined
        : new ControlError(403, 'forbidden', 'The control API accepts calls from this machine only'),
    );
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      // Many clients send the content type without a body.
      done(null, body === '' ? undefined : JSON.parse(body.toString()));
    } catch {
      done(new ControlError(400, 'invalid_request', 'The body is not JSON'));
    }
  });
  app.setErrorHandler((error: unknown, _request, reply) => {
    const { status, code, message, field } = toControlError(error);
    return reply.code(status).send({ error: code, error_description: message, ...(field ? { field } : {}) });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));

  const on = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, handler: Handler) => {
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const answer = await handler(request, reply, bodyOf(request.body));
        if (method !== 'GET') await sim.persistence.save();
        return reply.send(answer);
      },
    });
  };
  faultCalls(on, sim);
  sessionCalls(on, sim);
  webhookCalls(on, sim);
  on('GET', '/requests', () => ({ items: sim.requests.items() }));
  on('GET', '/events', () => ({ items: Array.from(sim.store.events.values(), ({ event }) => event) }));
  on('PUT', '/methods', (_request, _reply, body) => {
    const { account, types } = readActivation(body);
    sim.methods.set(account, types);
    return { items: types };
  });
  on('GET', '/clock', () => clockView(sim));
  on('PUT', '/clock', (_request, reply, body) => {
    sim.clock.advance(readWhole(body, 'advance_seconds', 0, max_advance_seconds));
    sim.store.offset_seconds = sim.clock.offsetSeconds();
    sendAfterAnswer(sim, reply, passTime(sim));
    return clockView(sim);
  });
}

type On = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, handler: Handler) => void;

function faultCalls(on: On, sim: Sim): void {
  on('GET', '/faults', () => ({ items: sim.faults.items().map(faultView) }));
  on('POST', '/faults', (_request, reply, body) => {
    const fault = readArmedFault(body, sim.newId('fault_', 12));
    sim.faults.arm(fault);
    void reply.code(201);
    return faultView(fault);
  });
  on('DELETE', '/faults', () => {
    sim.faults.clear();
    return { items: [] };
  });
}

function sessionCalls(on: On, sim: Sim): void {
  on('GET', '/sessions', () => ({
    items: Array.from(sim.store.sessions.values(), (session) => sessionView(sim, session)),
  }));
  on('POST', '/sessions/:id/pay', async (request, reply, body) => {
    const session = sessionOf(sim, request);
    if (session.status !== 'open') throw conflict(`This session is ${session.status}`);
    const webhook = body['webhook'] === undefined ? 'normal' : readChoice(body, 'webhook', webhook_modes);
    const event = paySession(sim, session, {
      ...readMethod(sim, session, body),
      ...(body['amount_total'] === undefined ? {} : { amount_total: readAmount(body, 'amount_total') }),
      ...(body['currency'] === undefined ? {} : { currency: readCurrency(body, 'currency') }),
    });
    if (webhook === 'early') await sendEarly(sim, session.id, sim.webhooks.send([event]));
    if (webhook === 'normal') sendAfterAnswer(sim, reply, [event]);
    if (webhook === 'duplicate') sendAfterAnswer(sim, reply, [event, event]);
    return sessionView(sim, session);
  });
  on('POST', '/sessions/:id/settle-async', (request, reply, body) => {
    const session = sessionOf(sim, request);
    const outcome = readChoice(body, 'outcome', outcomes);
    const payment = processingPayment(sim, session);
    if (payment === undefined) throw conflict('This session has no asynchronous payment to settle');
    sendAfterAnswer(sim, reply, [settleAsync(sim, session, payment, outcome)]);
    return sessionView(sim, session);
  });
  on('POST', '/sessions/:id/dispute', (request, reply, body) =>
    openOrDecideDispute(sim, sessionOf(sim, request), reply, body),
  );
  on('POST', '/refunds/:id/settle', (request, reply, body) => {
    const refund = sim.store.refunds.get(idOf(request));
    if (refund === undefined) throw notFound('There is no such refund');
    const outcome = readChoice(body, 'outcome', outcomes);
    // At the provider a refund can fail days after it has succeeded.
    const isLate = refund.status === 'succeeded' && outcome === 'failed';
    if (refund.status !== 'pending' && !isLate) throw conflict(`This refund is ${refund.status}`);
    sendAfterAnswer(sim, reply, settleRefund(sim, refund, outcome));
    return wireRefund(refund);
  });
}

/**
 * Opens a dispute if there is none, or `another` one, or the last one again (`reopen`), and decides it if an outcome is
 * given. `dispute_id` names an older one.
 */
function openOrDecideDispute(sim: Sim, session: SessionRecord, reply: FastifyReply, body: Body): Wire {
  const outcome =
    body['outcome'] === undefined ? undefined : readChoice(body, 'outcome', ['lost', 'won'] as const);
  const payment = paymentOf(sim, session);
  if (payment?.status !== 'succeeded') throw conflict('Only a paid session can be disputed');
  const { dispute, events } = disputeOf(sim, payment, body, outcome);
  if (outcome !== undefined) events.push(closeDispute(sim, dispute, outcome));
  sendAfterAnswer(sim, reply, events);
  return wireDispute(dispute);
}

/** The open dispute that a control call is about, and the event of its opening if the call has opened it. */
function disputeOf(
  sim: Sim,
  payment: PaymentRecord,
  body: Body,
  outcome: DisputeOutcome | undefined,
): { dispute: DisputeRecord; events: EventRecord[] } {
  const known = disputesOf(sim, payment);
  const named = body['dispute_id'] === undefined ? undefined : readText(body, 'dispute_id');
  const dispute = named === undefined ? known.at(-1) : known.find(({ id }) => id === named);
  if (named !== undefined && dispute === undefined) throw notFound('This payment has no such dispute');
  if (dispute === undefined || readBoolean(body, 'another')) {
    if (payment.amount_refunded === payment.amount) throw conflict('This payment was refunded');
    const terms = readTerms(body, payment, disputable(sim, payment));
    const opened = openDispute(sim, payment, terms);
    return { dispute: opened.dispute, events: [opened.event] };
  }
  if (readBoolean(body, 'reopen') && isWithdrawn(dispute)) {
    return { dispute, events: [reopenDispute(sim, dispute)] };
  }
  if (!isOpen(dispute) || outcome === undefined) {
    throw conflict(`This payment has a dispute that is ${dispute.status}`);
  }
  return { dispute, events: [] };
}

/** `{inquiry?, reason?, due_in_seconds?, amount?, currency?}` of a dispute that opens. */
function readTerms(body: Body, payment: PaymentRecord, most: bigint): DisputeTerms {
  const amount = body['amount'] === undefined ? undefined : readAmount(body, 'amount');
  const currency =
    body['currency'] === undefined ? payment.currency : readCurrency(body, 'currency').toLowerCase();
  const isOther = currency !== payment.currency;
  if (isOther && amount === undefined)
    throw invalidMember('amount', 'must be given with another currency than that of the payment');
  if (!isOther && most <= 0n) throw conflict('All of this payment is disputed');
  if (!isOther && amount !== undefined && amount > most)
    throw invalidMember('amount', 'must be at most what was paid, not refunded and not disputed');
  return {
    amount,
    currency,
    inquiry: readBoolean(body, 'inquiry'),
    reason: body['reason'] === undefined ? 'fraudulent' : readChoice(body, 'reason', dispute_reasons),
    due_in_seconds:
      body['due_in_seconds'] === undefined
        ? usual_due_seconds
        : readWhole(body, 'due_in_seconds', 0, max_advance_seconds),
  };
}

function webhookCalls(on: On, sim: Sim): void {
  on('GET', '/webhooks', () => ({ items: Array.from(sim.store.targets.values(), targetView) }));
  on('POST', '/webhooks', (_request, reply, body) => {
    const target = readWebhookTarget(body);
    void reply.code(sim.store.targets.has(target.url) ? 200 : 201);
    sim.store.targets.set(target.url, target);
    return targetView(target);
  });
  on('GET', '/deliveries', () => ({ items: sim.webhooks.deliveries() }));
  on('POST', '/webhooks/replay', async (_request, _reply, body) => {
    const record = sim.store.events.get(readText(body, 'event_id'));
    if (record === undefined) throw notFound('There is no such event');
    const times = body['times'] === undefined ? 1 : readWhole(body, 'times', 1, 1000);
    const items = [];
    for (let count = 0; count < times; count += 1) items.push(...(await sim.webhooks.sendNow(record)));
    return { items };
  });
  on('POST', '/webhooks/hold', async (_request, _reply, body) => {
    const reverse = readBoolean(body, 'reverse');
    if (typeof body['hold'] !== 'boolean') throw invalidMember('hold', 'must be true or false');
    if (body['hold']) {
      sim.webhooks.hold(reverse);
      return { hold: true, sent: 0 };
    }
    return { hold: false, sent: await sim.webhooks.release(reverse) };
  });
}

/** The method of a payment, and for a delayed one when and how it settles by itself. */
function readMethod(
  sim: Sim,
  { payment_method_types }: SessionRecord,
  body: Body,
): Pick<PayRequest, 'method' | 'async' | 'auto_settle'> {
  const wanted = readBoolean(body, 'async');
  const type =
    body['method'] === undefined
      ? wanted
        ? 'sepa_debit'
        : 'card'
      : readChoice(body, 'method', payableBy(payment_method_types));
  const async = wanted || methods[type]?.manner === 'delayed';
  const method = testMethod(type);
  if (body['settles_after_seconds'] === undefined) return { method, async };
  if (!async) throw invalidMember('settles_after_seconds', 'is only for an asynchronous payment');
  const at = sim.clock.seconds() + readWhole(body, 'settles_after_seconds', 0, max_advance_seconds);
  const outcome = body['outcome'] === undefined ? 'succeeded' : readChoice(body, 'outcome', outcomes);
  return { method, async, auto_settle: { at, outcome } };
}

async function sendEarly(sim: Sim, session_id: string, sent: Promise<void>): Promise<void> {
  sim.early_webhooks.set(session_id, sent);
  await sent;
  sim.early_webhooks.delete(session_id);
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? '';
}

function sessionOf(sim: Sim, request: FastifyRequest): SessionRecord {
  const session = sim.store.sessions.get(idOf(request));
  if (session === undefined) throw notFound('There is no such session');
  return session;
}

function sessionView(sim: Sim, session: SessionRecord): Wire {
  return wireSession(session, sim.publicUrl());
}

function faultView({ id, endpoint, account, times, fault }: ArmedFault): object {
  const wire = fault.mode === 'amount' ? { ...fault, amount_total: wireAmount(fault.amount_total) } : fault;
  return { fault_id: id, endpoint, account, times, ...wire };
}

/** The target without its secret. */
function targetView({ url, account }: WebhookTarget): object {
  return { url, account };
}

function clockView(sim: Sim): object {
  const now = new Date(sim.clock.seconds() * 1000).toISOString();
  return { now, offset_seconds: sim.clock.offsetSeconds() };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function toControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  const status = (error as { statusCode?: unknown }).statusCode;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ControlError(status, 'invalid_request', message);
  }
  return new ControlError(500, 'internal_error', message);
}
