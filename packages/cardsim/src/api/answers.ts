/** Sends the answers of the API, including the wrong answers that faults ask for. */
import type { FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../simulator/faults.ts';
import type { EventRecord } from '../records/records.ts';
import type { RequestEntry } from '../simulator/request-log.ts';
import type { Sim } from '../simulator/sim.ts';
import { StripeError } from './stripe-error.ts';
import { api_version } from './wire.ts';

/** An HTTP answer, and the events that it causes. */
export type Answer = {
  status: number;
  body: string;
  headers: { [name: string]: string };
  events: readonly EventRecord[];
  session_id?: string;
};

/**
 * Sends the answer, changed by the fault if there is one. The webhooks follow the answer. If the fault delays
 * or withholds the answer, they are sent immediately.
 */
export async function sendAnswer(
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
    // An "early" webhook must be delivered before this answer, however long that takes.
    await sim.early_webhooks.get(answer.session_id ?? '');
  } else {
    sendAfterAnswer(sim, reply, answer.events);
  }
  const sent = fault === undefined ? answer : faultyAnswer(answer, fault);
  entry.status = sent.status;
  return writeAnswer(reply, entry.id, sent);
}

/** The answer of a processed call, replaced or cut in half by a fault. The HTTP framing stays correct. */
function faultyAnswer(answer: Answer, fault: Fault): Answer {
  if (fault.mode === 'truncate') return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
  return fault.mode === 'status' ? faultAnswer(fault) : answer;
}

export function faultAnswer({ status, body }: Extract<Fault, { mode: 'status' }>): Answer {
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

export function errorAnswer(error: StripeError): Answer {
  return { status: error.status, body: render({ error: error.body }), headers: {}, events: [] };
}

/** Sends the events after the answer was sent or the connection was closed. */
export function sendAfterAnswer(sim: Sim, reply: FastifyReply, events: readonly EventRecord[]): void {
  if (events.length === 0) return;
  let sent = false;
  const send = () => {
    if (!sent) void sim.webhooks.send(events);
    sent = true;
  };
  reply.raw.once('finish', send).once('close', send);
}

/** Leaves the call without an answer. The connection stays open until one side closes it. */
export function withhold(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

export function writeAnswer(
  reply: FastifyReply,
  request_id: string,
  { status, body, headers }: Answer,
): FastifyReply {
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

export function render(body: unknown): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

/** Errors of the HTTP layer keep their status; unexpected errors become the provider’s 500. */
export function toStripeError(error: unknown): StripeError {
  if (error instanceof StripeError) return error;
  const status = (error as { statusCode?: unknown }).statusCode;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new StripeError(status, { type: 'invalid_request_error', message });
  }
  return new StripeError(500, { type: 'api_error', message });
}
