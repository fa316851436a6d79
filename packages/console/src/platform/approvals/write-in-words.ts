/** The writes that can wait for a second person, in words. */
import { words } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

const texts: Readonly<Record<string, string>> = {
  'user.top-up': t('top_up_a_persons_wallet'),
  'merchant.top-up': t('top_up_a_merchants_wallet'),
  'merchant.guarantee-deposit': t('add_an_external_guarantee_deposit'),
  'merchant.recovery-repayment': t('repay_losses_externally'),
  'merchant.recovery-write-off': t('write_off_losses'),
  'withdrawal.decide': t('mark_a_payout_as_paid'),
  'order.refund': t('refund_an_order'),
  'complaint.decide': t('accept_a_dispute'),
  'case.adopt': t('adopt_a_receipt_as_payment_of'),
  'case.refund': t('refund_the_money_of_a_case'),
  'case.repay': t('pay_back_the_money_of_a_case_by_bank'),
  'case.close': t('close_a_case_over_its_money'),
};

/** The name of a write, from its action in the audit log. */
export const writeInWords = (action: string): string => texts[action] ?? words(action.replaceAll('.', ' '));
