import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate, type Account } from './account.ts';
import { checkExpand, type Call, type Operation } from './calls.ts';
import { listDisputes, retrieveDispute } from './disputes.ts';
import type { Fault, FaultEndpoint } from './faults.ts';
import { storeAnswer, storedAnswer, type IdempotentCall } from './idempotency.ts';
import { retrieveCharge, retrievePaymentIntent } from './payments.ts';
import type { EventRecord } from './records.ts';
import { createRefund, listRefunds, retrieveRefund } from './refunds.ts';
import type { RequestEntry } from './request-log.ts';
import { createSession, expireSession, listSessions, retrieveSession } from './sessions.ts';
import type { Sim } from './sim.ts';
import { StripeError } from './stripe-error.ts';
import { parseForm, type FormTree } from './stripe-form.ts';
import { api_version } from './wire.ts';

type Route = {
  method: 'GET' | 'POST';
  url: string;
  operation: Operation;
  expandable: readonly string[];
  endpoint?: FaultEndpoint;
};

const of_session = ['line_items', 'payment_intent', 'payment_intent.latest_charge'];
const of_refund = ['charge', 'payment_intent', 'payment_intent.latest_charge'];

const routes: readonly Route[] = [
  {
    method: 'POST',
    url: '/checkout/sessions',
    operation: createSession,
    expandable: of_session,
    endpoint: 'sessions.create',
  },
  {
    method: 'GET',
    url: '/checkout/sessions',
    operation: listSessions,
    expandable: inList(of_session),
    endpoint: 'sessions.list',
  },
  {
    method: 'GET',
    url: '/checkout/sessions/:id',
    operation: retrieveSession,
    expandable: of_session,
    endpoint: 'sessions.retrieve',
  },
  {
    method: 'POST',
    url: '/checkout/sessions/:id/expire',
    operation: expireSession,
    expandable: of_session,
    endpoint: 'sessions.expire',
  },
  {
    method: 'POST',
    url: '/refunds',
    operation: createRefund,
    expandable: of_refund,
    endpoint: 'refunds.create',
  },
  { method: 'GET', url: '/refunds', operation: listRefunds, expandable: inList(of_refund) },
  { method: 'GET', url: '/refunds/:id', operation: retrieveRefund, expandable: of_refund },
  { method: 'GET', url: '/disputes', operation: listDisputes, expandable: inList(of_refund) },
  { method: 'GET', url: '/disputes/:id', operation: retrieveDispute, expandable: of_refund },
  {
    method: 'GET',
    url: '/payment_intents/:id',
    operation: retrievePaymentIntent,
    expandable: ['latest_charge'],
  },
  { method: 'GET', url: '/charges/:id', operation: retrieveCharge, expandable: ['payment_intent'] },
];

function inList(paths: readonly string[]): string[] {
  return paths.map((path) => `data.${path}`);
}

/** What goes back over the wire. */
type Answer = {
  status: number;
  body: string;
  headers: { [name: string]: string };
  events: readonly EventRecord[];
  session_id?: string;
};

/** The provider's API under `/v1`. */
export function registerApi(app: FastifyInstance, sim: Sim): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body);
    },
  );
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.url,
      handler: (request, reply) => answerCall(sim, route, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${pathOf(request)}).`;
    const error = new StripeError(404, { type: 'invalid_request_error', message });
    return write(reply, sim.newId('req_', 14), refusal(error));
  });
  app.setErrorHandler((error: unknown, _request, reply) => {
    return write(reply, sim.newId('req_', 14), refusal(stripeError(error)));
  });
}

async function answerCall(
  sim: Sim,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const entry = newEntry(sim, route, request);
  sim.requests.add(entry);
  let account: Account;
  try {
    account = authenticate(request.headers.authorization);
    entry.account = account.id;
    entry.params = paramsOf(request);
  } catch (error) {
    return deliver(sim, entry, reply, refusal(stripeError(error)), undefined);
  }
  const fault = route.endpoint === undefined ? undefined : sim.faults.take(route.endpoint, account.id);
  entry.fault = fault?.mode ?? null;
  if (fault?.mode === 'hang_before') return withhold(reply);
  const call: Call = {
    sim,
    account,
    id: (request.params as { id?: string }).id ?? '',
    path: entry.path,
    params: entry.params as FormTree,
    request_id: entry.id,
    idempotency_key: entry.idempotency_key,
    fault,
  };
  const answer = fault?.mode === 'status' && !fault.processed ? injected(fault) : perform(route, call, entry);
  if (route.method === 'POST') await sim.persistence.save();
  return deliver(sim, entry, reply, answer, fault);
}

/** Runs the operation, or repeats the answer that was stored under the same idempotency key. */
function perform(route: Route, call: Call, entry: RequestEntry): Answer {
  const { sim } = call;
  const idempotent: IdempotentCall | undefined =
    route.method === 'POST' && call.idempotency_key !== null
      ? {
          account: call.account.id,
          key: call.idempotency_key,
          method: route.method,
          path: call.path,
          params: call.params,
        }
      : undefined;
  try {
    const stored = idempotent && storedAnswer(sim.store, idempotent, sim.clock.seconds());
    if (stored !== undefined) {
      entry.replayed = true;
      const headers = { 'Idempotent-Replayed': 'true', 'Original-Request': stored.request_id };
      return { status: stored.status, body: stored.body, headers, events: [] };
    }
    checkExpand(call, route.expandable);
    const { body, events = [], session_id } = route.operation(call);
    const answer = {
      status: 200,
      body: render(body),
      headers: {},
      events,
      ...(session_id ? { session_id } : {}),
    };
    if (idempotent !== undefined) remember(call, idempotent, answer);
    return answer;
  } catch (error) {
    const refused = stripeError(error);
    const answer = refusal(refused);
    if (idempotent !== undefined && refused.executed) remember(call, idempotent, answer);
    return answer;
  }
}

function remember({ sim, request_id }: Call, idempotent: IdempotentCall, { status, body }: Answer): void {
  storeAnswer(sim.store, idempotent, { status, body, request_id, created: sim.clock.seconds() });
}

/** Sends the answer the way the fault wants it; the webhooks follow it, or go out at once if it is withheld. */
async function deliver(
  sim: Sim,
  entry: RequestEntry,
  reply: FastifyReply,
  answer: Answer,
  fault: Fault | undefined,
): Promise<FastifyReply> {
  if (fault?.mode === 'hang_after' || fault?.mode === 'reset_after') {
    void sim.webhooks.send(answer.events);
    if (fault.mode === 'reset_after') reply.request.raw.socket.resetAndDestroy();
    return withhold(reply);
  }
  if (fault?.mode === 'delay') {
    void sim.webhooks.send(answer.events);
    await sleep(fault.delay_ms, undefined, { signal: sim.closing }).catch(() => undefined);
    if (sim.closing.aborted) return withhold(reply);
    // A webhook that was sent "early" overtakes this answer, however long its delivery takes.
    await sim.early.get(answer.session_id ?? '');
  } else {
    sendAfterAnswer(sim, reply, answer.events);
  }
  const sent = fault === undefined ? answer : spoiled(answer, fault);
  entry.status = sent.status;
  return write(reply, entry.id, sent);
}

/** A processed answer that a fault replaces, or cuts in half with the framing of the message left intact. */
function spoiled(answer: Answer, fault: Fault): Answer {
  if (fault.mode === 'truncate') return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
  return fault.mode === 'status' ? injected(fault) : answer;
}

function injected({ status, body }: Extract<Fault, { mode: 'status' }>): Answer {
  const type = status >= 500 ? 'api_error' : status === 402 ? 'card_error' : 'invalid_request_error';
  const code = status === 429 ? { code: 'rate_limit' } : {};
  const content = body ?? { error: { type, ...code, message: `Injected fault with status ${status}` } };
  const text = typeof content === 'string' ? content : render(content);
  return {
    status,
    body: text,
    headers: { 'Stripe-Should-Retry': status >= 500 ? 'true' : 'false' },
    events: [],
  };
}

function refusal(error: StripeError): Answer {
  return { status: error.status, body: render({ error: error.body }), headers: {}, events: [] };
}

/** Sends the events once the answer is out, or its connection gone. */
export function sendAfterAnswer(sim: Sim, reply: FastifyReply, events: readonly EventRecord[]): void {
  if (events.length === 0) return;
  let sent = false;
  const send = () => {
    if (!sent) void sim.webhooks.send(events);
    sent = true;
  };
  reply.raw.once('finish', send).once('close', send);
}

/** Leaves the call without an answer; the connection stays until either side ends it. */
function withhold(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

function write(reply: FastifyReply, request_id: string, { status, body, headers }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers({
      'Cache-Control': 'no-cache, no-store',
      'Request-Id': request_id,
      'Stripe-Version': api_version,
    })
    .headers(headers)
    .type('application/json')
    .send(body);
}

function render(body: unknown): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

function newEntry(sim: Sim, route: Route, request: FastifyRequest): RequestEntry {
  const key = request.headers['idempotency-key'];
  return {
    id: sim.newId('req_', 14),
    created: sim.clock.seconds(),
    method: request.method,
    path: pathOf(request),
    endpoint: route.endpoint ?? null,
    account: null,
    idempotency_key: typeof key === 'string' && key !== '' ? key : null,
    replayed: false,
    params: {},
    fault: null,
    status: null,
  };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function paramsOf(request: FastifyRequest): FormTree {
  if (request.method === 'POST') return parseForm(typeof request.body === 'string' ? request.body : '');
  const at = request.url.indexOf('?');
  return parseForm(at < 0 ? '' : request.url.slice(at + 1));
}

/** Errors of the HTTP layer keep their status; what nobody foresaw is the provider's 500. */
function stripeError(error: unknown): StripeError {
  if (error instanceof StripeError) return error;
  const status = (error as { statusCode?: unknown }).statusCode;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new StripeError(status, { type: 'invalid_request_error', message });
  }
  return new StripeError(500, { type: 'api_error', message });
}
