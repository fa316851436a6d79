/** Sends a test event to a merchant's default address, and returns exactly what was sent and answered. */
import { randomBytes } from 'node:crypto';
import { type Clock, later, minutes, rfc3339 } from '../../base/time/clock.ts';
import { invalid } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { NameResolver } from '../addresses/index.ts';
import { newNotificationId, statusEvent } from '../events/index.ts';
import { openSigningSecret } from '../settings/index.ts';
import { type DeliveryOutcome, userAgent } from '../transport/index.ts';
import { signedHeaders } from './delivery-attempt.ts';
import { postOutsideOutbox } from './post-outside-outbox.ts';
import { unixSeconds } from './signature.ts';

export interface TestEventDeps {
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  log: Logger;
  allow_cidrs: readonly string[];
  ca: string | null;
  resolver?: NameResolver;
}

/** The act in the audit log that a test event leaves. The quickstart finds it by this name. */
export const testEventAct = 'notification.test';

/** What was sent, byte for byte, and what came back. */
export interface TestDelivery {
  event_id: string;
  sent_at: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  outcome: DeliveryOutcome;
  duration_ms: number;
}

/**
 * Sends one event that looks like a paid order, which does not exist: `data.test_mode` is true. It is sent once, whatever
 * the answer is, and it is not in the records (D-218).
 *
 * @param forged signs with another key: a receiver that verifies signatures must refuse it
 * @throws AppError `invalid_request` without an address; `notification_unavailable` where the key cannot be opened
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  merchant: Pick<Merchant, 'merchant_id' | 'notify_url' | 'notify_secret_box'>,
  { forged }: { forged: boolean },
): Promise<TestDelivery> {
  const { merchant_id, notify_url, notify_secret_box } = merchant;
  if (notify_url === '' || notify_secret_box === null) throw invalid('url', 'Save an address first.');
  const key = openSigningSecret(deps, notify_secret_box, sealed.merchantNotifySecret.row({ merchant_id }));
  const secret = forged ? randomBytes(32).toString('hex') : key;
  const now = deps.clock.now();
  const event_id = newNotificationId(deps.ids, now);
  const body = testEvent(deps.ids, event_id, now);
  const bytes = Buffer.from(body, 'utf8');
  const timestamp = unixSeconds(deps.clock.real());
  const headers = signedHeaders({ event_id, timestamp, body: bytes, secret });
  const url = new URL(notify_url);
  const sent = {
    host: url.host,
    ...headers,
    'content-length': String(bytes.length),
    'user-agent': userAgent,
  };
  const began = performance.now();
  const outcome = await postOutsideOutbox(deps, { url, headers, body: bytes });
  const duration_ms = Math.round(performance.now() - began);
  return { event_id, sent_at: rfc3339(now), url: notify_url, headers: sent, body, outcome, duration_ms };
}

/** The body: of an order that does not exist, paid at a test channel. */
function testEvent(ids: IdSource, id: string, now: Date): string {
  const order_no = `mp_${ids.ulid(now)}`;
  return statusEvent({
    id,
    created_at: now,
    data: {
      order_no,
      external_reference: 'paydesk-test-event',
      payment_no: `ch_${ids.ulid(now)}`,
      ...{ amount: '12.50', amount_minor: 1250n, currency: 'USD', currency_decimals: 2 },
      ...{ status: 'paid', status_version: 2, test_mode: true },
      expires_at: later(now, minutes(30)),
      confirmation: {
        event_id: `pe_${ids.ulid(now)}`,
        provider_trade_no: `test:${order_no}`,
        occurred_at: rfc3339(now),
      },
    },
  });
}
