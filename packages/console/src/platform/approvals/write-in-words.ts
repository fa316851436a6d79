/** The writes that can wait for a second person, in words. */
import { words } from '../../components/values/status.tsx';

const texts: Readonly<Record<string, string>> = {
  'user.top-up': 'Top up a person',
  'merchant.top-up': 'Top up a merchant',
  'merchant.guarantee-deposit': 'Take a guarantee from outside',
  'merchant.recovery-repayment': 'Repay losses from outside',
  'merchant.recovery-write-off': 'Write off losses',
  'withdrawal.decide': 'Pay a withdrawal',
  'order.refund': 'Refund an order',
  'complaint.decide': 'Confirm a complaint',
  'case.adopt': 'Adopt a receipt as the payment of its order',
  'case.refund': 'Refund the money of a case',
};

/** The name of a write, from its action in the audit log. */
export const writeInWords = (action: string): string => texts[action] ?? words(action.replaceAll('.', ' '));
