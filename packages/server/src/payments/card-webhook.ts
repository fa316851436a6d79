import { later, minutes } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Attempt } from './attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { lookUp } from './look-up.ts';
import {
  claimDueWebhooks,
  insertWebhook,
  selectAttempt,
  type StoredWebhook,
  updateWebhook,
} from './payment.sql.ts';
import { settle } from './settle.ts';

/**
 * Takes a webhook in: checks its signature over the raw bytes and stores it; only then is it acknowledged (R-226,
 * D-106). One round trip.
 *
 * @throws AppError `not_found` for an unknown address, `invalid_request` for a signature that does not hold
 */
export async function receiveCardWebhook(
  deps: PaymentDeps,
  webhook_key: string,
  body: Buffer,
  signature: string | undefined,
): Promise<void> {
  const channel = await deps.channels.byWebhookKey(webhook_key);
  if (channel === null) throw new AppError('not_found');
  const real = deps.clock.real();
  const event = deps.cards.verifyWebhook(channel, body, signature ?? '', real);
  if (event === null) {
    throw new AppError('invalid_request', { description: 'The signature does not hold.' });
  }
  const now = deps.clock.now();
  await insertWebhook(
    deps.db,
    {
      payment_no: channel.payment_no,
      provider_event_id: event.id,
      type: event.type,
      body_box: deps.box.seal(body.toString('utf8')),
      received_at: now,
      tries: 0,
    },
    now,
  );
}

/** The stored body, as far as it says where to look. */
interface Hint {
  data?: {
    object?: {
      object?: string;
      id?: string;
      client_reference_id?: string | null;
      metadata?: Record<string, string> | null;
    };
  };
}

const hopeless_ms = minutes(24 * 60);

/**
 * One pass over stored webhooks: each leads to a look-up at the provider, and what is found there counts (D-103,
 * D-107 to D-109). Returns how many were processed.
 */
export async function processCardWebhooks(deps: PaymentDeps, limit = 100): Promise<number> {
  const due = await deps.db.transaction((tx) => {
    const now = deps.clock.now();
    return claimDueWebhooks(tx, now, later(now, 2 * deps.lease_ms), limit);
  });
  await Promise.allSettled(
    due.map(async (webhook) => {
      try {
        await processOne(deps, webhook);
      } catch (error) {
        deps.log.error(
          { err: error, provider_event_id: webhook.provider_event_id },
          'webhook processing failed',
        );
        await updateWebhook(deps.db, webhook, 'failed, to be tried again', retryAt(deps, webhook));
      }
    }),
  );
  return due.length;
}

async function processOne(deps: PaymentDeps, webhook: StoredWebhook): Promise<void> {
  const attempt = await attemptOf(deps, JSON.parse(deps.box.open(webhook.body_box)) as Hint);
  if (attempt === null) {
    // The answer to the creation may not be stored yet: look again for a day (D-107).
    await updateWebhook(deps.db, webhook, 'no such attempt', retryAt(deps, webhook));
    return;
  }
  if (attempt.payment_no !== webhook.payment_no) {
    await updateWebhook(deps.db, webhook, 'of another channel', null);
    return;
  }
  const seen = await lookUp(deps, attempt, false);
  const after = await settle(deps, attempt, seen);
  const again = seen.kind === 'failed_lookup' ? retryAt(deps, webhook) : null;
  await updateWebhook(deps.db, webhook, `${seen.kind}: attempt ${after.state}`, again);
}

async function attemptOf(deps: PaymentDeps, hint: Hint): Promise<Attempt | null> {
  const object = hint.data?.object;
  const merchant_id = object?.metadata?.merchant_id;
  const attempt_id = object?.client_reference_id;
  if (merchant_id === undefined || !uuid.test(merchant_id) || typeof attempt_id !== 'string') return null;
  return selectAttempt(deps.db, merchant_id, attempt_id);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Soon at first, then each minute; after a day a person has to look. */
function retryAt(deps: PaymentDeps, webhook: StoredWebhook): Date | null {
  const now = deps.clock.now();
  if (now.getTime() - webhook.received_at.getTime() > hopeless_ms) return null;
  return later(now, Math.min(minutes(1), 2_000 * 2 ** webhook.tries));
}
