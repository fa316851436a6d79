/** The routes of the provider’s API: authentication, faults, idempotency, then the operation. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate, type Account } from './account.ts';
import {
  sendAnswer,
  faultAnswer,
  errorAnswer,
  render,
  toStripeError,
  withhold,
  writeAnswer,
  type Answer,
} from './answers.ts';
import { checkExpand, type Call, type Operation } from './calls.ts';
import { listDisputes, retrieveDispute, updateDispute } from '../operations/disputes.ts';
import { listEvents, retrieveEvent } from '../operations/events.ts';
import { createFile, retrieveFile } from '../operations/files.ts';
import type { FaultEndpoint } from '../simulator/faults.ts';
import { storeAnswer, storedAnswer, type IdempotentCall } from './idempotency.ts';
import { retrieveCharge, retrievePaymentIntent } from '../operations/payments.ts';
import { createRefund, listRefunds, retrieveRefund } from '../operations/refunds.ts';
import type { RequestEntry } from '../simulator/request-log.ts';
import { createSession, expireSession, listSessions, retrieveSession } from '../operations/sessions.ts';
import type { Sim } from '../simulator/sim.ts';
import { StripeError } from './stripe-error.ts';
import { parseMultipart } from './multipart.ts';
import { parseForm, type FormTree } from './stripe-form.ts';

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
  {
    method: 'GET',
    url: '/refunds',
    operation: listRefunds,
    expandable: inList(of_refund),
    endpoint: 'refunds.list',
  },
  {
    method: 'GET',
    url: '/refunds/:id',
    operation: retrieveRefund,
    expandable: of_refund,
    endpoint: 'refunds.retrieve',
  },
  { method: 'GET', url: '/disputes', operation: listDisputes, expandable: inList(of_refund) },
  {
    method: 'GET',
    url: '/disputes/:id',
    operation: retrieveDispute,
    expandable: of_refund,
    endpoint: 'disputes.retrieve',
  },
  {
    method: 'POST',
    url: '/disputes/:id',
    operation: updateDispute,
    expandable: of_refund,
    endpoint: 'disputes.update',
  },
  { method: 'POST', url: '/files', operation: createFile, expandable: [], endpoint: 'files.create' },
  { method: 'GET', url: '/files/:id', operation: retrieveFile, expandable: [] },
  {
    method: 'GET',
    url: '/payment_intents/:id',
    operation: retrievePaymentIntent,
    expandable: ['latest_charge'],
    endpoint: 'payment_intents.retrieve',
  },
  { method: 'GET', url: '/events', operation: listEvents, expandable: [], endpoint: 'events.list' },
  { method: 'GET', url: '/events/:id', operation: retrieveEvent, expandable: [] },
  { method: 'GET', url: '/charges/:id', operation: retrieveCharge, expandable: ['payment_intent'] },
];

/** Bytes of a request with a file. */
const most_upload_bytes = 8_000_000;

function inList(paths: readonly string[]): string[] {
  return paths.map((path) => `data.${path}`);
}

/** Registers the provider’s API under `/v1`. */
export function registerApi(app: FastifyInstance, sim: Sim): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body);
    },
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: most_upload_bytes },
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
    return writeAnswer(reply, sim.newId('req_', 14), errorAnswer(error));
  });
  app.setErrorHandler((error: unknown, _request, reply) => {
    return writeAnswer(reply, sim.newId('req_', 14), errorAnswer(toStripeError(error)));
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
    entry.params = await paramsOf(request);
  } catch (error) {
    return sendAnswer(sim, entry, reply, errorAnswer(toStripeError(error)), undefined);
  }
  const fault = route.endpoint === undefined ? undefined : sim.faults.take(route.endpoint, account.id);
  entry.fault = fault?.mode ?? null;
  if (fault?.mode === 'hang_before' || fault?.mode === 'reset_before') {
    if (fault.mode === 'reset_before') request.raw.socket.resetAndDestroy();
    return withhold(reply);
  }
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
  const answer =
    fault?.mode === 'status' && !fault.processed ? faultAnswer(fault) : perform(route, call, entry);
  if (route.method === 'POST') await sim.persistence.save();
  return sendAnswer(sim, entry, reply, answer, fault);
}

/** Runs the operation, or returns the stored answer of the same idempotency key. */
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
    if (idempotent !== undefined) rememberAnswer(call, idempotent, answer);
    return answer;
  } catch (error) {
    const refused = toStripeError(error);
    const answer = errorAnswer(refused);
    if (idempotent !== undefined && refused.executed) rememberAnswer(call, idempotent, answer);
    return answer;
  }
}

function rememberAnswer(
  { sim, request_id }: Call,
  idempotent: IdempotentCall,
  { status, body }: Answer,
): void {
  storeAnswer(sim.store, idempotent, { status, body, request_id, created: sim.clock.seconds() });
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
    traceparent: request.headers.traceparent?.toString() ?? null,
    replayed: false,
    params: {},
    fault: null,
    status: null,
  };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

async function paramsOf(request: FastifyRequest): Promise<FormTree> {
  if (Buffer.isBuffer(request.body)) {
    return parseMultipart(request.headers['content-type'] ?? '', request.body);
  }
  if (request.method === 'POST') return parseForm(typeof request.body === 'string' ? request.body : '');
  const at = request.url.indexOf('?');
  return parseForm(at < 0 ? '' : request.url.slice(at + 1));
}
