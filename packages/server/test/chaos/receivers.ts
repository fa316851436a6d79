import { createHash, createHmac } from 'node:crypto';
import { verifyNotification } from '@paydesk/sdk';
import type { Random } from '../support/run/random.ts';
import type { Receiver } from '../support/servers/receiver.ts';
import type { History } from './history.ts';

/** The merchant's end of the notifications: notes each in the history. */
export interface Inbox {
  targetOf(external_reference: string): { notify_url: string; notify_secret: string };
}

/** @param random decides which notifications are refused, so that they come again; null: none is */
export function openInbox(receiver: Receiver, history: History, random: Random | null, key: string): Inbox {
  const secretOf = (reference: string): string => createHmac('sha256', key).update(reference).digest('hex');
  receiver.answerWith((request) => {
    // Kept in the history: the receiver's own list would grow with the run.
    receiver.received.length = 0;
    const reference = request.path.replace('/orders/', '');
    const result = verifyNotification({
      headers: request.headers,
      raw_body: request.body,
      secrets: secretOf(reference),
    });
    const at_ms = performance.now();
    const digest = createHash('sha256').update(request.body).digest('base64');
    if (!result.ok) {
      const order = { status: '', status_version: 0, event_id: null };
      history.receipts.push({
        ...{ at_ms, digest, order, invalid: `${result.reason} ${result.detail}` },
        ...{ notification_id: reference, order_no: reference },
      });
      return { status: 400 };
    }
    const { id, data } = result.notification;
    const chance = random?.next() ?? 1;
    if (chance < 0.02) return 'reset';
    const { order_no, status, status_version } = data;
    const order = { status, status_version, event_id: data.event_id ?? null };
    const invalid = data.external_reference === reference ? '' : 'it went to the address of another order';
    history.receipts.push({ at_ms, digest, order, invalid, notification_id: id, order_no });
    return { status: chance < 0.08 ? 500 : 200 };
  });
  return {
    targetOf: (reference) => ({
      notify_url: receiver.url(`/orders/${reference}`),
      notify_secret: secretOf(reference),
    }),
  };
}
