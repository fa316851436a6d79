import type { FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../simulator/faults.ts';
import type { EventRecord } from '../records/records.ts';
import type { RequestEntry } from '../simulator/request-log.ts';
import type { Sim } from '../simulator/sim.ts';
import { StripeError } from './stripe-error.ts';
import { api_version } from './wire.ts';

/** What goes back over the wire. */
export type Answer = {
  status: number;
  body: string;
  headers: { [name: string]: string };
  events: readonly EventRecord[];
  session_id?: string;
};

/** Sends the answer the way the fault wants it; the webhooks follow it, or go out at once if it is withheld. */
export async function deliver(
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

export function injected({ status, body }: Extract<Fault, { mode: 'status' }>): Answer {
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

export function refusal(error: StripeError): Answer {
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
export function withhold(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

export function write(
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

/** Errors of the HTTP layer keep their status; what nobody foresaw is the provider's 500. */
export function stripeError(error: unknown): StripeError {
  if (error instanceof StripeError) return error;
  const status = (error as { statusCode?: unknown }).statusCode;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new StripeError(status, { type: 'invalid_request_error', message });
  }
  return new StripeError(500, { type: 'api_error', message });
}
