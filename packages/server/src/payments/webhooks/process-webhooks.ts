/** Processes stored webhooks. */
import { later, minutes } from '../../base/time/clock.ts';
import { inSpan, spanOf } from '../../base/tracing/tracing.ts';
import { type ChannelSlots, type PaymentDeps, runUntilNoneDue } from '../engine/index.ts';
import { claimDueWebhooks, type StoredWebhook, updateWebhook } from './webhook.sql.ts';
import { followWebhook } from './follow-webhook.ts';

/**
 * A webhook is given up after this time and this number of tries. Both count, because a service can be down for a
 * day.
 */
const giveUpAfter_ms = minutes(24 * 60);

const giveUpAfterTries = 30;

/** Webhooks claimed at a time. */
const claimSize = 50;

/**
 * Starts to process due webhooks (D-103, D-107). Webhooks of a channel without a free slot stay due.
 *
 * Invariant: a stored webhook is processed at least once, in any order. A claim only postpones it, so it is due again
 * if processing fails or the process dies. A look-up applied twice changes nothing the second time.
 *
 * @returns number of webhooks started; they run in `slots`
 */
export async function beginWebhooks(deps: PaymentDeps, slots: ChannelSlots): Promise<number> {
  const due = await deps.db.transaction((tx) => {
    const now = deps.clock.now();
    const until = later(now, 2 * deps.lease_ms);
    return claimDueWebhooks(tx, { now, until, except: slots.full(), limit: claimSize });
  });
  for (const webhook of due) {
    // In the trace of the request that brought it, so that what it causes belongs there too.
    const attributes = { 'paydesk.webhook_type': webhook.type };
    slots.run(webhook.payment_no, () =>
      inSpan('process webhook', { attributes, parent: spanOf(webhook.traceparent) }, () =>
        processWebhook(deps, webhook),
      ),
    );
  }
  return due.length;
}

/** Processes all due webhooks and waits for the end. Returns how many. */
export const processCardWebhooks = (deps: PaymentDeps): Promise<number> =>
  runUntilNoneDue((slots) => beginWebhooks(deps, slots));

async function processWebhook(deps: PaymentDeps, webhook: StoredWebhook): Promise<void> {
  const { payment_no, provider_event_id } = webhook;
  const keep = async (outcome: string, next: NextTry): Promise<void> => {
    await updateWebhook(deps.db, webhook, outcome, next);
    if (next.given_up_at === null) return;
    // As the alarm `webhooks_failed` (D-1375).
    const line = { payment_no, provider_event_id, outcome, tries: webhook.tries };
    deps.log.error(line, 'a webhook is given up: remove the cause, then retry it in the platform console');
  };
  try {
    const { outcome, again, within_ms = Infinity } = await followWebhook(deps, webhook);
    const now = deps.clock.now();
    const isUnfinished = again && now.getTime() - webhook.received_at.getTime() <= within_ms;
    await keep(outcome, isUnfinished ? nextWebhookTry(webhook, now) : done);
  } catch (error) {
    deps.log.error({ err: error, provider_event_id }, 'a webhook could not be processed; it is retried');
    const next = nextWebhookTry(webhook, deps.clock.now());
    const outcome = next.given_up_at === null ? 'failed, to be tried again' : 'failed';
    await keep(outcome, next).catch((err: unknown) => {
      deps.log.error(
        { err, provider_event_id },
        'the next try of a webhook could not be stored; it is retried when its claim ends',
      );
    });
  }
}

/** The next try of a webhook; none if it is done or given up. */
type NextTry = Parameters<typeof updateWebhook>[3];

const done: NextTry = { due_at: null, given_up_at: null };

/** The next try: soon at first, then every minute. A webhook that is given up waits for a person. */
export function nextWebhookTry(
  { received_at, tries }: Pick<StoredWebhook, 'received_at' | 'tries'>,
  now: Date,
): NextTry {
  const age_ms = now.getTime() - received_at.getTime();
  if (age_ms > giveUpAfter_ms && tries >= giveUpAfterTries) return { due_at: null, given_up_at: now };
  return { due_at: later(now, Math.min(minutes(1), 2_000 * 2 ** tries)), given_up_at: null };
}
