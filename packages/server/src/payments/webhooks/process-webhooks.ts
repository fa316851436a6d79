import { later, minutes } from '../../base/time/clock.ts';
import { type PaymentDeps, ended, type Followed, type Lanes, untilNoneDue } from '../engine/index.ts';
import { followDispute, followRefunds, keepUnmatched } from '../decisions/index.ts';
import { attemptOf, followAttempt, type SessionHint } from '../card/index.ts';
import { claimDueWebhooks, type StoredWebhook, updateWebhook } from './webhook.sql.ts';

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

/** What cannot be followed for so long, and was tried so often: a service that was down for a day has hardly tried. */
const hopeless_ms = minutes(24 * 60);
const hopeless_tries = 30;

/** How many webhooks are taken up at a time. */
const claimSize = 50;

/**
 * Begins to follow stored webhooks: each leads to a look-up at the provider, and what is found there counts (D-103,
 * D-107 to D-109). Those of a channel whose lane is full stay due.
 *
 * @returns how many were begun; they end in the lanes
 */
export async function beginWebhooks(deps: PaymentDeps, lanes: Lanes): Promise<number> {
  const due = await deps.db.transaction((tx) => {
    const now = deps.clock.now();
    const until = later(now, 2 * deps.lease_ms);
    return claimDueWebhooks(tx, { now, until, except: lanes.full(), limit: claimSize });
  });
  for (const webhook of due) lanes.run(webhook.payment_no, () => process(deps, webhook));
  return due.length;
}

/** Follows all stored webhooks that are due, and waits for the end of it. Answers how many. */
export const processCardWebhooks = (deps: PaymentDeps): Promise<number> =>
  untilNoneDue((lanes) => beginWebhooks(deps, lanes));

async function process(deps: PaymentDeps, webhook: StoredWebhook): Promise<void> {
  const { provider_event_id } = webhook;
  try {
    const { outcome, again: unfinished } = await follow(deps, webhook);
    await updateWebhook(deps.db, webhook, outcome, unfinished ? nextTry(webhook, deps.clock.now()) : done);
  } catch (error) {
    deps.log.error({ err: error, provider_event_id }, 'webhook processing failed');
    const next = nextTry(webhook, deps.clock.now());
    await updateWebhook(deps.db, webhook, 'failed, to be tried again', next).catch((err: unknown) => {
      // Due again when its claim ends.
      deps.log.error({ err, provider_event_id }, 'a webhook cannot be put off');
    });
  }
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

/** When a webhook is followed next, or that it never is. */
type Next = Parameters<typeof updateWebhook>[3];

const done: Next = { due_at: null, given_up_at: null };

/** When a webhook is tried again: soon at first, then each minute; given up where a person has to look. */
export function nextTry(
  { received_at, tries }: Pick<StoredWebhook, 'received_at' | 'tries'>,
  now: Date,
): Next {
  const age_ms = now.getTime() - received_at.getTime();
  if (age_ms > hopeless_ms && tries >= hopeless_tries) return { due_at: null, given_up_at: now };
  return { due_at: later(now, Math.min(minutes(1), 2_000 * 2 ** tries)), given_up_at: null };
}
