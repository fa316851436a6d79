/** Names of enumerations that several schemas share. Others are called after their schema and member (D-242). */
import { approvalStates } from '../admin/approval.ts';
import { caseActions, caseKinds, caseStates } from '../admin/case.ts';
import { applicationStates } from '../admin/client.ts';
import { alarmKinds } from '../admin/overview.ts';
import { platformRoles } from '../admin/user.ts';
import { collectionStatuses } from '../collection-order.ts';
import { timelineKinds } from '../console/order.ts';
import { exportErrors, exportFrequencies } from '../console/statement-export.ts';
import { deliveryErrors } from '../notification.ts';

/** A name, what the enumeration is, and its values. */
const shared: readonly (readonly [name: string, description: string, values: readonly string[]])[] = [
  ['CollectionStatus', 'The status of a collection order. Only `paid` means paid.', collectionStatuses],
  ['FeeStatus', 'Whether the fees of an order are decided.', ['unselected', 'quoted', 'legacy']],
  ['Provider', 'Who processes payments of a channel.', ['ptk', 'cardprov']],
  ['ChannelOwner', 'Who owns a channel.', ['platform', 'merchant']],
  ['PaymentPolicy', 'Which channels a product allows.', ['automatic', 'allowlist']],
  ['DeliveryError', 'Why a delivery failed.', deliveryErrors],
  ['ExportError', 'Why an export was not delivered.', exportErrors],
  ['ExportFrequency', 'How often an export is sent.', exportFrequencies],
  ['DeliveryStatus', 'The status of a delivery.', ['pending', 'delivered', 'failed']],
  ['UserRole', 'The role of an account on the platform.', ['user', ...platformRoles]],
  ['PlatformRole', 'A role of the people who run the platform.', platformRoles],
  ['MerchantStatus', 'The status of a merchant.', ['active', 'inactive']],
  ['MemberRole', 'A role at a merchant.', ['owner', 'finance', 'developer', 'read-only']],
  [
    'WalletAccount',
    'An account of a wallet.',
    [
      'available',
      'held',
      'frozen',
      'guarantee',
      'fee_reserved',
      'withdrawal_pending',
      'credit_drawn',
      'recovery',
    ],
  ],
  ['RefundStatus', 'The status of a refund.', ['pending', 'succeeded', 'failed', 'partial']],
  ['ComplaintSource', 'Where a complaint comes from.', ['platform', 'provider']],
  ['ComplaintStatus', 'The status of a complaint.', ['open', 'dismissed', 'confirmed', 'closed']],
  ['ClientType', 'Whether a client can keep a secret.', ['confidential', 'public']],
  ['ScopeApplicationStatus', 'The status of an application for scopes.', applicationStates],
  ['WithdrawalStatus', 'The status of a withdrawal.', ['pending', 'paid', 'rejected']],
  [
    'FeeReservationState',
    'The state of a reserved fee.',
    ['reserved', 'captured', 'released', 'captured_late'],
  ],
  ['CaseKind', 'Why a case was opened.', caseKinds],
  ['CaseState', 'The state of a case.', caseStates],
  ['CaseAction', 'A decision on a case.', caseActions],
  ['CaseResolution', 'How a case was resolved.', [...caseActions, 'cleared']],
  ['CaseRefundStatus', 'The status of a case’s refund.', ['pending', 'succeeded']],
  ['OwnApplicationStatus', 'The status of an application for scopes.', ['pending', 'approved', 'rejected']],
  ['TimelineKind', 'What happened to an order.', timelineKinds],
  ['AlarmKind', 'The kind of an alarm, the most severe first.', alarmKinds],
  ['ApprovalStatus', 'The status of an approval.', approvalStates],
];

const keyOf = (values: readonly string[]): string => values.join('\n');

const names = new Map(
  shared.map(([name, description, values]) => [keyOf(values), { name, description }] as const),
);

/** The name of an enumeration with these values, if it is a shared one. */
export const sharedEnum = (values: readonly string[]): { name: string; description: string } | undefined =>
  names.get(keyOf(values));
