import { statusNotificationExample } from '@paydesk/contract';
import { randomBytes } from 'node:crypto';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { later, OffsetClock, seconds } from '../../../src/base/time/clock.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { makeDeliveryAttempt } from '../../../src/notifications/delivery-attempts/delivery-attempt.ts';
import type { DeliveryOutcome } from '../../../src/notifications/transport/delivery-outcome.ts';
import { newNotificationId, statusEvent } from '../../../src/notifications/events/event.ts';
import { createHttpSender } from '../../../src/notifications/transport/http-sender.ts';
import { destinationOf } from '../../../src/base/input/https-url.ts';

export interface Sending {
  url: string;
  /** PEM, of the receiver's authority. */
  ca: string;
  secret: string;
  event_id?: string;
  status_version?: number;
  /** How far the sender's clock is ahead. */
  ahead_ms?: number;
}

/** Makes one attempt as a worker does, without a database behind it: a paid order, to a receiver on loopback. */
export async function sendNotification({
  url,
  ca,
  secret,
  event_id = newNotificationId(systemIds(), new OffsetClock().now()),
  status_version = 2,
  ahead_ms = 0,
}: Sending): Promise<DeliveryOutcome> {
  const now = later(new OffsetClock().real(), ahead_ms);
  const clock = { now: () => now, real: () => now };
  const box = secretBox([randomBytes(32)]);
  const named = { merchant_id: systemIds().uuid(), order_no: 'mp_x' };
  const { data } = statusNotificationExample;
  const body = statusEvent({
    id: event_id,
    created_at: now,
    data: {
      ...data,
      external_reference: 'Bestellung – „1“ €\n\\',
      amount_minor: BigInt(data.amount_minor),
      status_version,
      expires_at: now,
      confirmation: data,
    },
  });
  const sender = await createHttpSender({ ca, connections: 1, connect_ms: 60_000 });
  const resolver = () => Promise.reject(new Error('no names'));
  try {
    const { outcome, released } = await makeDeliveryAttempt(
      { clock, box, sender: () => Promise.resolve(sender), resolver, allow_cidrs: ['127.0.0.1/32'] },
      {
        ...named,
        event_id,
        body,
        url,
        destination: destinationOf(new URL(url)),
        secret_box: box.seal(secret, sealed.notificationSecret.row(named)),
        attempt: 1,
        manual: false,
        traceparent: null,
        lease_until: later(now, seconds(30)),
      },
    );
    await released;
    return outcome;
  } finally {
    await sender.close();
  }
}
