import { ended, type Followed, type PaymentDeps } from '../engine/index.ts';
import { followDispute, followRefunds, keepUnmatched } from '../decisions/index.ts';
import { attemptOf, followAttempt, type SessionHint } from '../card/index.ts';
import type { StoredWebhook } from './webhook.sql.ts';

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

export async function follow(deps: PaymentDeps, webhook: StoredWebhook): Promise<Followed> {
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
