/** The administration’s calls about the platform’s settings, and about writes that wait for a second person. */
import {
  ApprovalAnswer,
  ApprovalConsent,
  ApprovalRejection,
  approvalStates,
  ApprovedAnswer,
} from '../../admin/approval.ts';
import { SettingsAnswer, SettingsChange } from '../../admin/settings.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const settings = titled('PlatformSettings', SettingsAnswer);
const approval = titled('Approval', ApprovalAnswer);

export const approvalOperations: readonly Operation[] = [
  read({
    id: 'readSettings',
    path: '/settings',
    summary: 'Read the platform’s settings',
    answer: settings,
  }),
  change({
    id: 'changeSettings',
    method: 'put',
    path: '/settings',
    summary: 'Change the platform’s settings',
    description:
      'Changes the members that are sent; an unknown member is refused. `four_eyes_ptk` is the gross PTK from which ' +
      'withdrawals that are paid, top-ups, write-offs and refunds wait for another person. `"0"` switches this off. ' +
      'A new value applies to later requests only: waiting writes still wait. `branding` is how the platform looks ' +
      'in checkout, mails and consoles. `sign_up` says whether people can ' +
      'open accounts themselves, by a link that is sent to their address. `terms_url` is the address of the platform’s ' +
      'terms, which the pages of buyers name; null for none. `top_up` lets people buy PTK by card at `/account`, as orders ' +
      'of a merchant that belongs to the platform, within limits in PTK.',
    body: titled('SettingsChange', SettingsChange),
    answer: settings,
  }),
  list({
    id: 'listApprovals',
    path: '/approvals',
    summary: 'List writes that need or needed another person’s approval',
    description: 'Newest first.',
    query: [query('status', 'Only those in this status.', OneOf(approvalStates, 'A status.'))],
    item: approval,
  }),
  read({
    id: 'readApproval',
    path: '/approvals/{approval_id}',
    summary: 'Read one of them',
    answer: approval,
  }),
  change({
    id: 'approve',
    method: 'post',
    path: '/approvals/{approval_id}/approve',
    summary: 'Approve a write and book it',
    description:
      'Only for a signed-in person who did not ask for the write. It is decided again now: if it cannot be booked, ' +
      'the answer is the error of the write. After a 404 or 409 the approval has failed; after any other error it ' +
      'stays pending and can be approved later.',
    body: titled('ApprovalConsent', ApprovalConsent),
    bodyIsOptional: true,
    answer: titled('ApprovedWrite', ApprovedAnswer),
    errors: [
      'second_person_required',
      'already_decided',
      'payment_conflict',
      'reference_conflict',
      'insufficient_balance',
      'amount_exceeds_debt',
      'recovery_outstanding',
    ],
  }),
  change({
    id: 'reject',
    method: 'post',
    path: '/approvals/{approval_id}/reject',
    summary: 'Reject a write that waits',
    description: 'Nothing is booked. The person who asked may reject too, to take the request back.',
    body: titled('ApprovalRejection', ApprovalRejection),
    answer: approval,
    errors: ['already_decided'],
  }),
];
