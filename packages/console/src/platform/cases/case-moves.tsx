/** The kinds of cases and the ways to resolve them, in words. */
import type { PaymentCase } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Status } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

type Kind = PaymentCase['kind'];
export type CaseMove = 'accept' | 'adopt' | 'refund' | 'repay' | 'void' | 'absent' | 'close';

/** The name of each kind of case, and what it is about, for the person who decides. */
export const kindWords: Record<Kind, readonly [name: string, about: string]> = {
  mismatch: [t('mismatch'), t('the_provider_reports_something_other_than')],
  duplicate_payment: [t('duplicate_payment'), t('the_order_was_already_paid_and')],
  unknown_creation: [t('unknown_session'), t('the_provider_has_not_confirmed_whether')],
  unmatched_receipt: [t('unmatched_receipt'), t('money_was_received_that_belongs_to')],
  partial_refund: [t('partial_refund'), t('the_amount_refunded_at_the_provider')],
  unfulfillable: [t('cannot_be_fulfilled'), t('a_payment_was_received_for_something')],
};

/** The label of each resolution, and its consequences: `amount` is what the case still holds (D-750). */
export const moveWords: Record<
  CaseMove,
  readonly [label: string, consequences: (amount: string) => readonly string[]]
> = {
  accept: [
    t('accept_as_payment'),
    () => [t('the_order_is_paid_from_the'), t('any_amount_beyond_its_total_stays')],
  ],
  adopt: [
    t('adopt_as_payment'),
    () => [t('the_order_named_by_the_payment'), t('the_merchant_is_credited_and_gets')],
  ],
  refund: [
    t('refund'),
    (amount) => [t('amount_is_refunded_at_the_provider', { amount }), t('the_case_stays_open_until_the')],
  ],
  repay: [
    t('paid_back_by_bank'),
    (amount) => [t('you_have_paid_amount_by_bank', { amount }), t('the_money_leaves_the_bank_account')],
  ],
  void: [
    t('void_the_payment_page'),
    () => [t('the_provider_is_asked_to_close'), t('it_must_confirm_that_the_page')],
  ],
  absent: [
    t('no_payment_page_exists'),
    () => [t('you_have_asked_the_provider_there'), t('the_order_expires')],
  ],
  close: [
    t('close_the_case'),
    () => [t('without_money_nothing_else_changes'), t('money_must_be_lost_already')],
  ],
};

export const CaseLink = ({ of }: { of: PaymentCase }) => (
  <AppLink to="/platform/cases" search={{ case_id: of.case_id }}>
    {kindWords[of.kind][0]} <Status value={of.state} />
  </AppLink>
);
