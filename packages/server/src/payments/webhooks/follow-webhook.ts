import { finished, type HintResult, type PaymentDeps } from '../engine/index.ts';
import { followDispute, followRefunds, keepUnmatchedReceipt } from '../decisions/index.ts';
import { findAttempt, followAttempt, type SessionHint } from '../card/index.ts';
import type { StoredWebhook } from './webhook.sql.ts';

/** The object of a stored body, as far as it says where to look; nothing in it is believed (D-103). */
interface ObjectHint extends SessionHint {
  object?: string;
  payment_intent?: string | null;
}

/** What is followed, by the kind of object that an event is about; its name decides nothing (D-109). */
const followers: Partial<
  Record<string, (deps: PaymentDeps, payment_no: string, hint: ObjectHint) => Promise<HintResult>>
> = {
  'checkout.session': followSessionHint,
  charge: followRefundHint,
  refund: followRefundHint,
  dispute: (deps, payment_no, { id }) =>
    typeof id === 'string'
      ? followDispute(deps, payment_no, id)
      : Promise.resolve(finished('no dispute named')),
};

export async function followWebhook(deps: PaymentDeps, webhook: StoredWebhook): Promise<HintResult> {
  const { data } = JSON.parse(deps.box.open(webhook.body_box)) as { data?: { object?: ObjectHint } };
  const hint = data?.object ?? {};
  const follower = followers[hint.object ?? ''];
  return follower === undefined
    ? finished('about nothing that is followed')
    : follower(deps, webhook.payment_no, hint);
}

/** A checkout session: what became of the attempt it was created for; of none, it is kept as a case (D-107). */
async function followSessionHint(
  deps: PaymentDeps,
  payment_no: string,
  hint: ObjectHint,
): Promise<HintResult> {
  const attempt = await findAttempt(deps, hint);
  if (attempt === null) return keepUnmatchedReceipt(deps, payment_no, hint);
  // Two channels of one account hear of each other's sessions.
  if (attempt.payment_no !== payment_no) return finished('of another channel');
  return followAttempt(deps, attempt, hint);
}

/** A charge or a refund: whether the payment that it names has gone back (D-076). */
function followRefundHint(deps: PaymentDeps, payment_no: string, hint: ObjectHint): Promise<HintResult> {
  const { payment_intent } = hint;
  return typeof payment_intent === 'string'
    ? followRefunds(deps, payment_no, payment_intent)
    : Promise.resolve(finished('no payment named'));
}
