/**
 * Follows a stored webhook to the session, refund or dispute that it names. The webhook is only a hint: what is found
 * at the provider counts (D-103), so the order of events does not matter.
 */
import { finished, type HintResult, type PaymentDeps } from '../engine/index.ts';
import { followDispute, followRefunds } from '../following/index.ts';
import { keepWebhooksReceipt } from '../unmatched/index.ts';
import { findAttempt, followAttempt, type SessionHint } from '../card/index.ts';
import { isProviderName } from '../../channels/card/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { StoredWebhook } from './webhook.sql.ts';

/** The members of a webhook's object that say where to look. They are not trusted (D-103). */
interface ObjectHint extends SessionHint {
  object?: string;
  payment_intent?: string | null;
}

type Follow = (deps: PaymentDeps, payment_no: string, hint: ObjectHint) => Promise<HintResult>;
/** How to follow a webhook, by the kind of its object. The name of the event does not matter (D-109). */
const followers = new Map<string | undefined, Follow>([
  ['checkout.session', followSessionHint],
  ['charge', followRefundHint],
  ['refund', followRefundHint],
  [
    'dispute',
    (deps, payment_no, { id }) =>
      typeof id === 'string'
        ? followDispute(deps, payment_no, id)
        : Promise.resolve(finished('no dispute named')),
  ],
]);

export async function followWebhook(deps: PaymentDeps, webhook: StoredWebhook): Promise<HintResult> {
  const body = deps.box.open(webhook.body_box, sealed.webhookBody.row(webhook));
  const { data } = JSON.parse(body) as { data?: { object?: unknown } };
  const hint = hintFrom(data?.object);
  const follower = followers.get(hint.object);
  return follower === undefined
    ? finished('about nothing that is followed')
    : follower(deps, webhook.payment_no, hint);
}

/** The members of a webhook's object that are names. Its sender can be a merchant, who may write anything into it (D-671). */
function hintFrom(object: unknown): ObjectHint {
  const named = namesIn(object);
  const { client_reference_id = null, payment_intent = null } = named;
  const { merchant_id, order_no } = namesIn((object as { metadata?: unknown } | null | undefined)?.metadata);
  const metadata = {
    ...(merchant_id === undefined ? {} : { merchant_id }),
    ...(order_no === undefined ? {} : { order_no }),
  };
  return { ...named, client_reference_id, payment_intent, metadata };
}

const namesIn = (object: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => isProviderName(value))) as Record<
    string,
    string
  >;

/**
 * A checkout session: looks up its attempt, by our reference first (D-108). So a payment settles the order even if
 * the answer to the creation is still missing. Without a known attempt it becomes a case (R-232, D-107).
 */
async function followSessionHint(
  deps: PaymentDeps,
  payment_no: string,
  hint: ObjectHint,
): Promise<HintResult> {
  const attempt = await findAttempt(deps, hint);
  if (attempt === null) return keepWebhooksReceipt(deps, payment_no, hint);
  // Two channels of one account receive webhooks about each other's sessions.
  if (attempt.payment_no !== payment_no) return finished('of another channel');
  return followAttempt(deps, attempt, hint);
}

/** A charge or a refund: looks up the refunds of its payment (D-076). */
function followRefundHint(deps: PaymentDeps, payment_no: string, hint: ObjectHint): Promise<HintResult> {
  const { payment_intent } = hint;
  return typeof payment_intent === 'string'
    ? followRefunds(deps, payment_no, payment_intent)
    : Promise.resolve(finished('no payment named'));
}
