/** The administration’s calls about payouts of card providers and withdrawals of merchants. */
import {
  DecisionOnWithdrawal,
  PayoutAnswer,
  PayoutReport,
  WithdrawalAnswer,
  WithdrawalRequest,
} from '../../admin/payout.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, createdOrRepeated, list, read, titled, walletMoveErrors } from './call.ts';
import type { Operation } from '../operation.ts';

const withdrawal = titled('Withdrawal', WithdrawalAnswer);

export const payoutOperations: readonly Operation[] = [
  change({
    id: 'recordPayout',
    method: 'post',
    path: '/channels/{payment_no}/payouts',
    summary: 'Record a payout of a card provider',
    body: titled('PayoutReport', PayoutReport),
    answer: titled('Payout', PayoutAnswer),
    statuses: createdOrRepeated,
    errors: ['reference_conflict', 'channel_unavailable'],
  }),
  list({
    id: 'listWithdrawals',
    path: '/withdrawals',
    summary: 'List withdrawals',
    query: [
      query('status', 'Only those in this status.', OneOf(['pending', 'paid', 'rejected'], 'A status.')),
      query(
        'order',
        'By the time of the request; the newest first if absent.',
        OneOf(['newest', 'oldest'], 'An order.'),
      ),
    ],
    item: withdrawal,
  }),
  read({
    id: 'readWithdrawal',
    path: '/withdrawals/{withdrawal_id}',
    summary: 'Read a withdrawal',
    answer: withdrawal,
  }),
  change({
    id: 'createWithdrawal',
    method: 'post',
    path: '/withdrawals',
    summary: 'Request a withdrawal',
    body: titled('WithdrawalRequest', WithdrawalRequest),
    answer: withdrawal,
    statuses: createdOrRepeated,
    errors: [...walletMoveErrors, 'recovery_outstanding'],
  }),
  change({
    id: 'decideWithdrawal',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/decision',
    summary: 'Record that a withdrawal was paid, or reject it',
    body: titled('DecisionOnWithdrawal', DecisionOnWithdrawal),
    answer: withdrawal,
    mayWait: true,
    errors: ['payment_conflict', 'recovery_outstanding'],
  }),
];
