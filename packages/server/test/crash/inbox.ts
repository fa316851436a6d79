import { createHash, createHmac } from 'node:crypto';
import { verifyNotification } from '@paydesk/sdk';
import type { Answer, Received, Receiver } from '../support/servers/receiver.ts';

/** The merchant's receiver of notifications: verifies each, and stores what has arrived. */
export interface Inbox {
  /** The endpoint and secret of an order's notifications, by the merchant's reference. */
  targetOf(external_reference: string): { notify_url: string; notify_secret: string };
  /** The status versions of an order that have arrived, with the event that brought each. */
  versionsOf(order_no: string): ReadonlyMap<number, string>;
  /** Events that have arrived, and how many requests brought them. */
  counts(): { events: number; requests: number };
  /** Forbidden notifications: unsigned, changed or contradictory. */
  problems: string[];
  /** Forgets which versions these orders have got, so that a long run does not grow. */
  forget(order_nos: readonly string[]): void;
}

/** One event in so many gets an error for its first delivery, so that it has to come again. */
const refusedFirst = 10;

/** Answers for this receiver from here on. */
export function openInbox(receiver: Receiver, key: string): Inbox {
  const secretOf = (external_reference: string): string =>
    createHmac('sha256', key).update(external_reference).digest('hex');
  const bodies = new Map<string, string>();
  const versions = new Map<string, Map<number, string>>();
  const problems: string[] = [];
  let requests = 0;

  const take = (request: Received): Answer => {
    requests++;
    // Kept here, in short: the receiver's own list would grow with the run.
    receiver.received.length = 0;
    const reference = request.path.replace('/orders/', '');
    const result = verifyNotification({
      headers: request.headers,
      raw_body: request.body,
      secrets: secretOf(reference),
    });
    if (!result.ok) {
      problems.push(`a notification of ${reference} does not verify: ${result.reason}, ${result.detail}`);
      return { status: 400 };
    }
    const { id, data } = result.notification;
    if (data.external_reference !== reference) problems.push(`${id} went to another order's address`);
    const digest = createHash('sha256').update(request.body).digest('base64');
    const known = bodies.get(id);
    if (known !== undefined && known !== digest) problems.push(`${id} came with two bodies`);
    bodies.set(id, digest);
    const ofOrder = versions.get(data.order_no) ?? new Map<number, string>();
    versions.set(data.order_no, ofOrder);
    const event = ofOrder.get(data.status_version);
    if (event !== undefined && event !== id) {
      problems.push(`${data.order_no} has two events of version ${data.status_version}: ${event} and ${id}`);
    }
    ofOrder.set(data.status_version, id);
    return { status: known === undefined && bodies.size % refusedFirst === 0 ? 500 : 200 };
  };
  receiver.answerWith(take);

  return {
    targetOf: (external_reference) => ({
      notify_url: receiver.url(`/orders/${external_reference}`),
      notify_secret: secretOf(external_reference),
    }),
    versionsOf: (order_no) => versions.get(order_no) ?? new Map<number, string>(),
    counts: () => ({ events: bodies.size, requests }),
    problems,
    forget(order_nos) {
      for (const order_no of order_nos) versions.delete(order_no);
    },
  };
}
