import { later, minutes } from '../base/clock.ts';
import type { PaymentDeps } from './deps.ts';
import { followDispute } from './disputes.ts';
import { attemptOf, followAttempt, type SessionHint } from './follow-session.ts';
import { ended, type Followed } from './followed.ts';
import { claimDueWebhooks, type StoredWebhook, updateWebhook } from './payment.sql.ts';
import { followRefunds } from './pursue-refund.ts';
import { keepUnmatched } from './unmatched-receipts.ts';

/** The object of a stored body, as far as it says where to look; nothing in it is believed (D-103). */
interface Hint extends SessionHint {
  object?: string;
  payment_intent?: string | null;
}

/** What is followed, by the kind of object that an event is about; its name decides nothing (D-109). */
const followers: Partial<
  Record<string, (deps: PaymentDeps, payment_no: string, hint: Hint) => Promise<Followed>>
> = {
  'checkout.session': followSession,
  charge: followPayment,
  refund: followPayment,
  dispute: (deps, payment_no, { id }) =>
    typeof id === 'string' ? followDispute(deps, payment_no, id) : Promise.resolve(ended('no dispute named')),
};

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
        const { outcome, again: unfinished } = await follow(deps, webhook);
        await updateWebhook(deps.db, webhook, outcome, unfinished ? retryAt(deps, webhook) : null);
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

async function follow(deps: PaymentDeps, webhook: StoredWebhook): Promise<Followed> {
  const { data } = JSON.parse(deps.box.open(webhook.body_box)) as { data?: { object?: Hint } };
  const hint = data?.object ?? {};
  const follower = followers[hint.object ?? ''];
  return follower === undefined
    ? ended('about nothing that is followed')
    : follower(deps, webhook.payment_no, hint);
}

/** A checkout session: what became of the attempt it was created for; of none, it is kept as a case (D-107). */
async function followSession(deps: PaymentDeps, payment_no: string, hint: Hint): Promise<Followed> {
  const attempt = await attemptOf(deps, hint);
  if (attempt === null) return keepUnmatched(deps, payment_no, hint);
  // Two channels of one account hear of each other's sessions.
  if (attempt.payment_no !== payment_no) return ended('of another channel');
  return followAttempt(deps, attempt, hint);
}

/** A charge or a refund: whether the payment that it names has gone back (D-076). */
function followPayment(deps: PaymentDeps, payment_no: string, hint: Hint): Promise<Followed> {
  const { payment_intent } = hint;
  return typeof payment_intent === 'string'
    ? followRefunds(deps, payment_no, payment_intent)
    : Promise.resolve(ended('no payment named'));
}

/** Soon at first, then each minute; after a day a person has to look. */
function retryAt(deps: PaymentDeps, webhook: StoredWebhook): Date | null {
  const now = deps.clock.now();
  if (now.getTime() - webhook.received_at.getTime() > hopeless_ms) return null;
  return later(now, Math.min(minutes(1), 2_000 * 2 ** webhook.tries));
}
