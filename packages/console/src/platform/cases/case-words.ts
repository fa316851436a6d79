/** What a case is about, in the language of the page: the service writes it in English (D-520). */
import { type ComparedMember, comparedMembers, type Contradiction, differenceOf } from '@paydesk/contract';
import { words } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

const compared: Readonly<Record<ComparedMember, string>> = {
  session: t('payment_page'),
  reference: t('reference'),
  order: t('order'),
  amount: t('amount'),
  currency: t('currency'),
  mode: t('live_mode'),
};

/** Further facts that the provider has. */
const members: Readonly<Record<string, string>> = {
  ...compared,
  order_no: t('order'),
  livemode: t('live_mode'),
  status: t('status_2'),
  paid: t('paid'),
  name: t('payment_at_the_provider'),
  case: t('case'),
};

/** The name of a member of what was requested, or of what the provider has. */
export const memberWords = (member: string): string => members[member] ?? words(member);

const reasons: Readonly<Record<Contradiction, string>> = {
  'won after it was booked as lost': t('won_after_it_was_booked_as_lost'),
  'lost for more than was booked': t('lost_for_more_than_was_booked'),
  'lost for less than was booked': t('lost_for_less_than_was_booked'),
  'disputed after the order was refunded': t('disputed_after_the_order_was_returned'),
  'disputed after the order was chargeback': t('disputed_after_the_order_was_returned'),
  'disputed in another currency': t('disputed_in_another_currency'),
  'disputed for more than what is left of the payment': t('disputed_for_more_than_is_left'),
  'refunded beside a chargeback': t('refunded_beside_a_chargeback'),
  'disputed after it was paid back': t('disputed_after_it_was_paid_back'),
  'refunded after it was paid back': t('refunded_after_it_was_paid_back'),
  'the refund failed after it was booked': t('refund_failed_after_it_was_booked'),
};

/** Why a case of this kind was opened; null where the kind says all of it. */
export function reasonWords(kind: string, why: string | undefined): string | null {
  if (kind !== 'mismatch' || why === undefined) return null;
  const member = comparedMembers.find((one) => differenceOf(one) === why);
  if (member !== undefined) return t('different_from_the_request', { member: compared[member] });
  // A newer service may know other reasons.
  return Object.hasOwn(reasons, why) ? reasons[why as Contradiction] : why;
}
