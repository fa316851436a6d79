import { later, minutes } from '../../base/time/clock.ts';
import { type ChannelSlots, type PaymentDeps, runUntilNoneDue } from '../engine/index.ts';
import { claimDueWebhooks, type StoredWebhook, updateWebhook } from './webhook.sql.ts';
import { followWebhook } from './follow-webhook.ts';

/** What cannot be followed for so long, and was tried so often: a service that was down for a day has hardly tried. */
const giveUpAfter_ms = minutes(24 * 60);

const giveUpAfterTries = 30;

/** How many webhooks are taken up at a time. */
const claimSize = 50;

/**
 * Begins to follow stored webhooks: each leads to a look-up at the provider, and what is found there counts (D-103,
 * D-107 to D-109). Those of a channel whose lane is full stay due.
 *
 * @returns how many were begun; they end in the slots
 */
export async function beginWebhooks(deps: PaymentDeps, slots: ChannelSlots): Promise<number> {
  const due = await deps.db.transaction((tx) => {
    const now = deps.clock.now();
    const until = later(now, 2 * deps.lease_ms);
    return claimDueWebhooks(tx, { now, until, except: slots.full(), limit: claimSize });
  });
  for (const webhook of due) slots.run(webhook.payment_no, () => processWebhook(deps, webhook));
  return due.length;
}

/** Follows all stored webhooks that are due, and waits for the end of it. Answers how many. */
export const processCardWebhooks = (deps: PaymentDeps): Promise<number> =>
  runUntilNoneDue((slots) => beginWebhooks(deps, slots));

async function processWebhook(deps: PaymentDeps, webhook: StoredWebhook): Promise<void> {
  const { provider_event_id } = webhook;
  try {
    const { outcome, again: unfinished } = await followWebhook(deps, webhook);
    await updateWebhook(
      deps.db,
      webhook,
      outcome,
      unfinished ? nextWebhookTry(webhook, deps.clock.now()) : done,
    );
  } catch (error) {
    deps.log.error({ err: error, provider_event_id }, 'webhook processing failed');
    const next = nextWebhookTry(webhook, deps.clock.now());
    await updateWebhook(deps.db, webhook, 'failed, to be tried again', next).catch((err: unknown) => {
      // Due again when its claim ends.
      deps.log.error({ err, provider_event_id }, 'a webhook cannot be put off');
    });
  }
}

/** When a webhook is followed next, or that it never is. */
type NextTry = Parameters<typeof updateWebhook>[3];

const done: NextTry = { due_at: null, given_up_at: null };

/** When a webhook is tried again: soon at first, then each minute; given up where a person has to look. */
export function nextWebhookTry(
  { received_at, tries }: Pick<StoredWebhook, 'received_at' | 'tries'>,
  now: Date,
): NextTry {
  const age_ms = now.getTime() - received_at.getTime();
  if (age_ms > giveUpAfter_ms && tries >= giveUpAfterTries) return { due_at: null, given_up_at: now };
  return { due_at: later(now, Math.min(minutes(1), 2_000 * 2 ** tries)), given_up_at: null };
}
